<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Export\Csv;
use XHProf\Export\Formats;
use XHProf\Export\Utf8Names;
use XHProf\Functions\FlatReport;
use XHProf\Functions\SymbolReport;
use XHProf\Graph\CallGraph;
use XHProf\Graph\GraphNode;
use XHProf\Graph\GraphOptions;
use XHProf\Import\ImportedRun;
use XHProf\Import\InputFile;
use XHProf\Import\Readers;
use XHProf\Profile\CallTree;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Profile;
use XHProf\Run\ChangedRun;
use XHProf\Run\Run;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\ExportRuns;
use XHProf\Tests\Lib\Support\PprofDecoder;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/TemporaryFolder.php';
require_once __DIR__ . '/Support/ExportRuns.php';
require_once __DIR__ . '/Support/PprofDecoder.php';

/**
 * A call tree is folded into edges by the extension and by this library, and both name functions: the same small programs go
 * through both. They have generators that several functions resume, fibers, recursion, names that look like parts of an edge.
 */
final class FoldTest extends TestCase
{
    use TemporaryFolder;

    private const PROGRAMS = 60;

    /** @return iterable<string, array{int}> */
    public static function parts(): iterable
    {
        for ($first = 1; $first <= 5 * self::PROGRAMS; $first += self::PROGRAMS) {
            yield "programs from $first" => [$first];
        }
    }

    #[DataProvider('parts')]
    public function testTheExtensionAndTheLibraryFoldAlike(int $first): void
    {
        $store = new RunFolder($this->folder);
        $called = [];
        foreach ($this->programs($first) as $run) {
            ['seed' => $seed, 'edges' => $edges, 'tree' => $data, 'id' => $id] = $run;
            $tree = CallTree::fromArray($data);
            self::assertSame($data['names'], $tree->names, "the library finds nothing more to escape, program $seed");
            self::assertSame($edges, $tree->toEdges(false)->edges(), "program $seed");
            $id = $store->identify($id, 'fold');
            $saved = $store->open($id)->profile()->recorded()->edges();
            self::assertSame(self::utf8($tree->toEdges()->edges()), $saved, "the run file of program $seed");
            foreach (array_keys($run['called']) as $name) {
                $called[$name] = true;
                self::assertContains(EdgeKey::escaped("run_init::included/$name"), $tree->names, "program $seed");
            }
            self::assertSame([], preg_grep('/==>|@[0-9]+\z/', $tree->names));
            self::assertBegun($run['begun'], $tree, "program $seed");
            if ($seed % 5 === 0) {
                $this->assertOneNumberOfCalls($store, $tree, $id);
                self::assertSameWithoutEdges($store, $id);
            }
        }
        self::assertGreaterThan(20, count($called));
    }

    /** A worker's job resumes what earlier jobs have left suspended. */
    public function testSpansResumeGeneratorsOfEarlierOnes(): void
    {
        $store = new RunFolder($this->folder);
        $resumedOnly = 0;
        foreach ($this->programs(1, true) as $run) {
            ['seed' => $seed, 'id' => $id] = $run;
            self::assertIsString($id, "span $seed");
            $id = $store->identify($id);
            $tree = $store->open($id)->tree();
            self::assertNotNull($tree);
            self::assertSame($tree->toEdges()->edges(), $store->open($id)->profile()->recorded()->edges(), "span $seed");
            $resumedOnly += self::assertBegun($run['begun'], $tree, "span $seed");
            if ($seed % 4 === 0) {
                $this->assertOneNumberOfCalls($store, $tree, $id);
            }
        }
        self::assertGreaterThan(10, $resumedOnly, 'generators from before the span');
    }

    /** A tree that takes far more than PHP may have gives its nanoseconds too. */
    public function testTreesLargerThanTheMemoryHaveTheirTimes(): void
    {
        $tree = ['names' => ['main()'], 'fn' => [0], 'depth' => [0], 'ct' => [1], 'self' => ['wt' => [1001]]];
        for ($i = 0; $i < 120_000; $i++) {
            $tree['names'][1 + $i % 180] = 'f' . $i % 180;
            $tree['fn'][] = 1 + $i % 180;
            $tree['depth'][] = 1 + $i % 3;
            $tree['ct'][] = 1;
            $tree['self']['wt'][] = 1001 + $i % 7;
        }
        $tree = CallTree::fromArray($tree);
        $store = new RunFolder($this->folder);
        $id = $store->save($tree->toEdges()->edges(), 'large', null, [], $tree);
        self::assertGreaterThan(450_000, $store->open($id)->numbers(Run::TREE));
        $total = array_sum($tree->self['wt']);
        $code = 'require $argv[1]; $store = new XHProf\Store\RunFolder($argv[2]); $id = $store->identify($argv[3]);'
            . 'ini_set("memory_limit", (string) (memory_get_usage() + (int) $argv[4]));'
            . 'echo round($store->open($id)->profile()->totals()["wt"] * 1000);';
        $arguments = [dirname(__DIR__, 2) . '/vendor/autoload.php', $this->folder, $id->id, '6000000'];
        $command = [PHP_BINARY, '-n', '-d', 'display_errors=stderr', '-r', $code, '--', ...$arguments];
        exec('XDG_CACHE_HOME=' . escapeshellarg("$this->folder/none") . ' '
            . implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $lines, $status);
        self::assertSame([0, [(string) $total]], [$status, $lines]);
    }

    /**
     * A generator is one call where it begins, however often it is resumed; none where it has begun before the profile.
     *
     * @param array<string, int> $begun by function
     *
     * @return int number of paths that were only resumed
     */
    private static function assertBegun(array $begun, CallTree $tree, string $which): int
    {
        $calls = [];
        $resumedOnly = 0;
        foreach ($tree->fn as $node => $fn) {
            $name = $tree->names[$fn];
            if (in_array($name, ['XHProf\Fold\numbers', 'XHProf\Fold\delegating', 'XHProf\Fold\profiled'], true)) {
                $calls[$name] = ($calls[$name] ?? 0) + $tree->ct[$node];
                $resumedOnly += $tree->ct[$node] === 0 ? 1 : 0;
            }
        }
        self::assertSame(self::calls($begun), self::calls(array_filter($calls)), $which);

        return $resumedOnly;
    }

    /** What is read of the columns without folding all edges is what the edges say. */
    private static function assertSameWithoutEdges(RunFolder $store, RunId $id): void
    {
        // A folder of its own: runs stay open, and what they have read.
        $fresh = static fn (): Profile => (new RunFolder($store->directory()))->open($id)->profile();
        $edges = $fresh();
        self::assertNotSame([], $edges->sums());
        self::assertSame($edges->symbols(), $fresh()->symbols());
        self::assertSame($edges->totals(), $fresh()->totals());
        self::assertSame(FlatReport::compute($edges)->rows(), FlatReport::compute($fresh())->rows());
        $whole = $store->open($id)->tree()?->toProfile();
        self::assertNotNull($whole);
        foreach ($edges->symbols() as $symbol) {
            $run = $fresh();
            self::assertTrue($run->hasSymbol($symbol), $symbol);
            foreach ([true, false] as $fold) {
                [$found, $wanted] = [SymbolReport::compute($run, $symbol, $fold), SymbolReport::compute($whole, $symbol, $fold)];
                self::assertSame($wanted->self(), $found->self(), $symbol);
                self::assertSame($wanted->parents(), $found->parents(), $symbol);
                self::assertSame($wanted->children(), $found->children(), $symbol);
                self::assertSame($wanted->recursion(), $found->recursion(), $symbol);
            }
        }
        self::assertFalse($fresh()->hasSymbol('f@999'));
    }

    /** All that shows or writes a run has the calls of its tree, and its times to the nanosecond. */
    private function assertOneNumberOfCalls(RunFolder $store, CallTree $tree, RunId $id): void
    {
        $ct = $self = [];
        foreach ($tree->fn as $node => $fn) {
            $name = Utf8Names::utf8($tree->names[$fn]); // as the file has it
            $ct[$name] = ($ct[$name] ?? 0) + $tree->ct[$node];
            $self[$name] = ($self[$name] ?? 0) + $tree->exclusive('wt')[$node];
        }
        $profile = $store->open($id)->profile();
        // They are read without the call tree.
        self::assertSame($store->open($id)->tree()?->toProfile()->edges(), $profile->edges(), (string) $id);
        $rows = FlatReport::compute($profile, true)->rows();
        $calls = array_combine(array_map(Utf8Names::utf8(...), array_keys($rows)), self::column($rows, 'ct'));
        self::assertSame(self::calls($ct), self::calls($calls), (string) $id);
        self::assertSame(array_sum($tree->ct), $profile->totals()['ct']);
        $export = ChangedRun::corrected($store->open($id));
        self::assertNotNull($export);
        $written = self::writtenTimes($export);
        $all = new GraphOptions('wt', 0.0, maxNodes: count($rows), foldRecursion: true);
        $drawn = CallGraph::ofProfile($profile, $all);
        self::assertSame(array_sum($self), (int) round($drawn->total * 1000));
        $graph = array_map(static fn (GraphNode $node): int => (int) round($node->now['excl'] * 1000), $drawn->nodes);
        foreach ($rows as $name => $row) {
            self::assertSame($self[Utf8Names::utf8($name)], (int) round(($row['excl_wt'] ?? 0) * 1000), "$id: $name");
            self::assertSame($self[Utf8Names::utf8($name)], $written['json'][Utf8Names::utf8($name)], "JSON of $id: $name");
            $line = $written['callgrind'][Utf8Names::line($name)];
            self::assertSame($self[Utf8Names::utf8($name)], $line, "callgrind of $id: $name");
            $cell = str_getcsv(Csv::text($name), ',', '"', '')[0];
            self::assertSame($self[Utf8Names::utf8($name)], $written['csv'][(string) $cell], "CSV of $id: $name");
            self::assertSame($self[Utf8Names::utf8($name)], $graph[$name], "graph of $id: $name");
            if (str_contains($name, '\numbers') || str_contains($name, '\\x')) {
                $reported = SymbolReport::compute($profile, $name, true)->self();
                self::assertSame($row, array_intersect_key($reported, $row), "$id: $name");
            }
        }
        self::assertSums($export, array_sum($self), array_sum($ct), (string) $id);
        foreach (Formats::all() as $format) {
            $text = ExportRuns::written($format::NAME, $export);
            self::assertNotSame('', $text);
            if (!in_array($format::NAME, ['json', 'callgrind', 'xhprof'], true)) {
                continue;
            }
            file_put_contents("$this->folder/export", $text);
            $file = InputFile::at("$this->folder/export");
            foreach (Readers::for($file)->read($file) as $back) {
                self::assertInstanceOf(ImportedRun::class, $back);
                // Bytes that are not UTF-8, and line breaks, are written otherwise there.
                $written = [];
                foreach (self::column(FlatReport::compute($back->profile, true)->rows(), 'ct') as $name => $calls) {
                    $written[Utf8Names::line($name)] = $calls;
                }
                $expected = array_combine(array_map(Utf8Names::line(...), array_keys($ct)), $ct);
                self::assertSame(self::calls($expected), self::calls($written), $format::NAME . " of $id");
            }
        }
    }

    /**
     * @param array<string, array<string, int|float>> $edges
     *
     * @return array<string, array<string, int|float>>
     */
    private static function utf8(array $edges): array
    {
        return array_combine(array_map(Utf8Names::utf8(...), array_keys($edges)), $edges);
    }

    /** Each format has all the time, in nanoseconds, and all calls where it has any. */
    private static function assertSums(Run $run, int $time, int $calls, string $id): void
    {
        $write = static fn (string $format): string => ExportRuns::written($format, $run);
        preg_match_all('/ (\d+)$/m', $write('folded'), $found);
        $sums = ['folded' => [array_sum(array_map(intval(...), $found[1])), $calls]];
        $rows = self::csvRows($write('csv'));
        $head = array_flip(array_map(strval(...), array_shift($rows) ?? []));
        [$times, $counts] = [array_column($rows, $head['excl_wt_us']), array_column($rows, $head['ct'])];
        $us = array_sum(array_map(floatval(...), $times));
        $sums['csv'] = [(int) round($us * 1000), array_sum(array_map(intval(...), $counts))];
        $pprof = PprofDecoder::decode($write('pprof'));
        foreach (['wall/nanoseconds', 'calls/count'] as $type) {
            $sums['pprof'][] = array_sum(array_column($pprof['samples'], (int) array_search($type, $pprof['types'], true)));
        }
        $speedscope = json_decode($write('speedscope'), true, 32, JSON_THROW_ON_ERROR);
        $sums['speedscope'] = [$speedscope['profiles'][0]['endValue'], $calls];
        $events = json_decode($write('chrome'), true, 32, JSON_THROW_ON_ERROR)['traceEvents'];
        $begun = array_column(array_filter($events, static fn (array $event): bool => $event['ph'] === 'B'), 'args');
        $sums['chrome'] = [array_sum(array_column($begun, 'self_ns')), array_sum(array_column($begun, 'calls'))];
        preg_match('/^summary: (\d+)/m', $write('callgrind'), $summary);
        $sums['callgrind'] = [(int) ($summary[1] ?? 0), $calls];
        $json = json_decode($write('json'), true, 512, JSON_THROW_ON_ERROR);
        $sums['json'] = [(int) round(array_sum($json['functions']['m']['excl_wt']) * 1000), $json['total']['ct']];
        $sums['json, edges'] = [(int) round($json['total']['wt'] * 1000), array_sum($json['edges']['m']['ct'])];
        $sums['json, tree'] = [array_sum($json['tree']['self']['wt']), array_sum($json['tree']['ct'])];
        foreach ($sums as $format => $sum) {
            self::assertSame([$time, $calls], $sum, "$format of $id");
        }
    }

    /** @return list<array<int, string|null>> */
    private static function csvRows(string $csv): array
    {
        $stream = fopen('php://memory', 'w+b');
        self::assertIsResource($stream);
        fwrite($stream, $csv);
        rewind($stream);
        $rows = [];
        while (($row = fgetcsv($stream, null, ',', '"', '')) !== false) {
            $rows[] = $row;
        }

        return $rows;
    }

    /** @return array<'json'|'csv'|'callgrind', array<string, int>> nanoseconds of the functions themselves */
    private static function writtenTimes(Run $run): array
    {
        $json = json_decode(ExportRuns::written('json', $run), true, 512, JSON_THROW_ON_ERROR);
        $times = ['json' => [], 'csv' => [], 'callgrind' => []];
        foreach ($json['functions']['fn'] as $i => $fn) {
            $name = preg_replace('/@[0-9]+\z/', '', $json['names'][$fn]);
            $times['json'][$name] = ($times['json'][$name] ?? 0) + (int) round($json['functions']['m']['excl_wt'][$i] * 1000);
        }
        foreach (self::csvRows(ExportRuns::written('csv', $run)) as $i => $row) {
            if ($i === 0) {
                $column = (int) array_search('excl_wt_us', $row, true);
                continue;
            }
            $name = (string) preg_replace('/@[0-9]+\z/', '', (string) $row[0]);
            $times['csv'][$name] = ($times['csv'][$name] ?? 0) + (int) round((float) $row[$column ?? 0] * 1000);
        }
        $names = [];
        $callgrind = ExportRuns::written('callgrind', $run);
        preg_match_all('/^fn=(\(\d+\))(?: (.+))?\n\d+ (\d+)|^cfn=(\(\d+\)) (.+)$/m', $callgrind, $found, PREG_SET_ORDER);
        foreach ($found as $match) {
            $number = $match[4] ?? $match[1] ?? '';
            $names[$number] ??= $match[5] ?? $match[2] ?? '';
            if (!isset($match[4])) {
                $times['callgrind'][$names[$number]] = (int) ($match[3] ?? 0);
            }
        }

        return $times;
    }

    /**
     * @param array<string, array<string, int|float>> $rows
     *
     * @return array<string, int>
     */
    private static function column(array $rows, string $column): array
    {
        return array_map(static fn (array $row): int => (int) $row[$column], $rows);
    }

    /**
     * @param array<string, int> $ct per function
     *
     * @return array<string, int> sorted
     */
    private static function calls(array $ct): array
    {
        ksort($ct, SORT_STRING);

        return $ct;
    }

    /** @return iterable<array<string, mixed>> */
    private function programs(int $first, bool $areSpans = false): iterable
    {
        $extension = dirname(__DIR__, 2) . '/extension/modules/xhprof.so';
        if (!is_file($extension)) {
            self::markTestSkipped('the extension is not built');
        }
        $command = [PHP_BINARY, '-n', '-d', "extension=$extension", '-d', "xhprof.output_dir=$this->folder"];
        if ($areSpans) {
            array_push($command, '-d', 'xhprof.start_with_request=yes', '-d', 'xhprof.mode=exact', '-d', 'xhprof.flags=cpu,memory');
        }
        $program = [__DIR__ . '/Support/fold-programs.php', $this->folder, (string) $first, (string) ($first + self::PROGRAMS - 1)];
        $program[] = $areSpans ? 'spans' : 'profiles';
        exec(implode(' ', array_map(escapeshellarg(...), [...$command, ...$program])) . ' 2>&1', $lines, $status);
        self::assertSame(0, $status, implode("\n", array_slice($lines, -3)));
        self::assertCount(self::PROGRAMS, $lines);
        foreach ($lines as $line) {
            $run = unserialize((string) base64_decode($line, true), ['allowed_classes' => false]);
            self::assertIsArray($run, $line);
            yield $run;
        }
    }
}
