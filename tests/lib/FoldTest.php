<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Export\ExportedRun;
use XHProf\Export\Formats;
use XHProf\Export\Names;
use XHProf\Import\ImportedRun;
use XHProf\Import\InputFile;
use XHProf\Import\Readers;
use XHProf\Profile\CallTree;
use XHProf\Profile\EdgeKey;
use XHProf\Report\FlatReport;
use XHProf\Report\SymbolReport;
use XHProf\Store\RunId;
use XHProf\Store\RunStore;
use XHProf\Tests\Lib\Support\ExportRuns;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/TemporaryFolder.php';
require_once __DIR__ . '/Support/ExportRuns.php';

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
        $store = new RunStore($this->folder);
        $called = [];
        foreach ($this->programs($first) as $run) {
            ['seed' => $seed, 'edges' => $edges, 'tree' => $data, 'id' => $id] = $run;
            $tree = CallTree::fromArray($data);
            self::assertSame($data['names'], $tree->names, "the library finds nothing more to escape, program $seed");
            self::assertSame($edges, $tree->toEdges(false)->edges(), "program $seed");
            $id = $store->find($id, 'fold');
            self::assertSame($tree->toEdges()->edges(), $store->recorded($id)->edges(), "the run file of program $seed");
            foreach (array_keys($run['called']) as $name) {
                $called[$name] = true;
                self::assertContains(EdgeKey::escaped("run_init::included/$name"), $tree->names, "program $seed");
            }
            self::assertSame([], preg_grep('/==>|@[0-9]+\z/', $tree->names));
            if ($seed % 5 === 0) {
                $this->assertOneNumberOfCalls($store, $tree, $id);
            }
        }
        self::assertGreaterThan(20, count($called));
    }

    /** All that shows or writes a run has the calls of its tree, and its times to the nanosecond. */
    private function assertOneNumberOfCalls(RunStore $store, CallTree $tree, RunId $id): void
    {
        $ct = $self = [];
        foreach ($tree->fn as $node => $fn) {
            $ct[$tree->names[$fn]] = ($ct[$tree->names[$fn]] ?? 0) + $tree->ct[$node];
            $self[$tree->names[$fn]] = ($self[$tree->names[$fn]] ?? 0) + $tree->exclusive('wt')[$node];
        }
        $profile = $store->load($id);
        $rows = FlatReport::of($profile, true)->rows();
        self::assertSame(self::calls($ct), self::calls(self::column($rows, 'ct')), (string) $id);
        self::assertSame(array_sum($tree->ct), $profile->totals()['ct']);
        $export = ExportedRun::of($store, $id, $profile, $store->meta($id));
        $written = self::writtenTimes($export);
        foreach ($rows as $name => $row) {
            self::assertSame($self[$name], (int) round(($row['excl_wt'] ?? 0) * 1000), "$id: $name");
            self::assertSame($self[$name], $written['json'][Names::utf8($name)], "JSON of $id: $name");
            self::assertSame($self[$name], $written['callgrind'][Names::line($name)], "callgrind of $id: $name");
            if (str_contains($name, '\numbers') || str_contains($name, '\\x')) {
                self::assertSame($row, array_intersect_key(SymbolReport::of($profile, $name, true)->self(), $row), "$id: $name");
            }
        }
        self::assertNotNull($store->withCorrected($profile, $id));
        foreach (Formats::all() as $format) {
            $text = ExportRuns::written($format->name(), $export);
            self::assertNotSame('', $text);
            if (!in_array($format->name(), ['json', 'callgrind', 'xhprof'], true)) {
                continue;
            }
            file_put_contents("$this->folder/export", $text);
            $file = InputFile::at("$this->folder/export");
            foreach (Readers::for($file)->read($file) as $back) {
                self::assertInstanceOf(ImportedRun::class, $back);
                // Bytes that are not UTF-8, and line breaks, are written otherwise there.
                $written = [];
                foreach (self::column(FlatReport::of($back->profile, true)->rows(), 'ct') as $name => $calls) {
                    $written[Names::line($name)] = $calls;
                }
                $expected = array_combine(array_map(Names::line(...), array_keys($ct)), $ct);
                self::assertSame(self::calls($expected), self::calls($written), $format->name() . " of $id");
            }
        }
    }

    /**
     * @return array{json: array<string, int>, callgrind: array<string, int>} nanoseconds of the functions themselves
     */
    private static function writtenTimes(ExportedRun $run): array
    {
        $json = json_decode(ExportRuns::written('json', $run), true, 512, JSON_THROW_ON_ERROR);
        $times = ['json' => [], 'callgrind' => []];
        foreach ($json['functions']['fn'] as $i => $fn) {
            $name = preg_replace('/@[0-9]+\z/', '', $json['names'][$fn]);
            $times['json'][$name] = ($times['json'][$name] ?? 0) + (int) round($json['functions']['m']['excl_wt'][$i] * 1000);
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
    private function programs(int $first): iterable
    {
        $extension = dirname(__DIR__, 2) . '/extension/modules/xhprof.so';
        if (!is_file($extension)) {
            self::markTestSkipped('the extension is not built');
        }
        $command = [PHP_BINARY, '-n', '-d', "extension=$extension", '-d', "xhprof.output_dir=$this->folder"];
        $program = [__DIR__ . '/Support/fold-programs.php', $this->folder, (string) $first, (string) ($first + self::PROGRAMS - 1)];
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
