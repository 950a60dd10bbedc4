<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Export\Utf8Names;
use XHProf\Functions\FlatReport;
use XHProf\Import\ImportedRun;
use XHProf\Import\Importer;
use XHProf\Import\InputFile;
use XHProf\Import\Readers;
use XHProf\Profile\CallTree;
use XHProf\Profile\Metrics;
use XHProf\Profile\SampleColumns;
use XHProf\Run\MadeRun;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\ExportRuns;
use XHProf\Tests\Lib\Support\ImportFixtures as Fixtures;
use XHProf\Tests\Lib\Support\Runs;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/Runs.php';
require_once __DIR__ . '/Support/ExportRuns.php';
require_once __DIR__ . '/Support/ImportFixtures.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/**
 * What functions spent themselves adds up to what the file says, for a file of every reader: figures come from there and from
 * nothing else. Files that XHProf wrote come back with the same figures.
 */
final class ImportSumsTest extends TestCase
{
    use TemporaryFolder;

    /**
     * @return iterable<string, array{string, string, array<string, int|float>, 3?: string}> reader, bytes, sums by metric, name
     */
    public static function files(): iterable
    {
        $names = ['xdebug.cachegrind', 'threads.callgrind', 'cycle.callgrind', 'memprof.callgrind', 'memprof-of-xhprof.callgrind'];
        foreach ($names as $name) {
            $bytes = Fixtures::bytes($name);
            $metric = match (true) {
                str_starts_with($name, 'xdebug') => 'wt',
                str_starts_with($name, 'memprof') => 'mu',
                default => 'Ir',
            };
            // Xdebug counts tens of nanoseconds.
            yield $name => ['callgrind', $bytes, [$metric => Fixtures::ownCosts($bytes) / ($metric === 'wt' ? 100 : 1)]];
        }
        // The calls are not in the order in which they ended: there are no call paths.
        $shuffled = preg_replace('/\n(fl=[^\n]*\nfn=\(4\)[^\n]*\n.*?)\n\n/s', "\n", Fixtures::bytes('xdebug.cachegrind'), 1);
        self::assertIsString($shuffled);
        yield 'xdebug without paths' => ['callgrind', $shuffled, ['wt' => Fixtures::ownCosts($shuffled) / 100]];
        foreach (['excimer-1.0.folded', 'austin.folded'] as $name) {
            yield $name => ['folded', Fixtures::bytes($name), ['samples' => Fixtures::lastWords(Fixtures::bytes($name))]];
        }
        $weights = [1000, 1, 1, 1.5, 0.25];
        yield 'weights of a speedscope file' => ['speedscope', (string) json_encode([
            '$schema' => 'https://www.speedscope.app/file-format-schema.json',
            'shared' => ['frames' => [['name' => 'slow'], ['name' => 'x'], ['name' => '']]],
            'profiles' => [['type' => 'sampled', 'name' => 'p', 'unit' => 'milliseconds', 'startValue' => 0, 'endValue' => 1004,
                'samples' => [[0], [1], [0, 2], [1], []], 'weights' => $weights]],
        ]), ['wt' => array_sum($weights) * 1000]];
        yield 'one sample' => ['speedscope', '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":'
            . '[{"name":"a"}]},"profiles":[{"type":"sampled","unit":"seconds","samples":[[0]],"weights":[1]}]}', ['wt' => 1000000]];
        yield 'SPX report' => ['spx', (string) gzencode(Fixtures::bytes('spx.txt')), ['wt' => 2000], 'spx.txt.gz'];
        $two = preg_replace('/^(\d+ [01] \S+) \S+ \S+ (\S+) .*$/m', '$1 $2', Fixtures::bytes('spx.txt'));
        yield 'SPX report of the usual counters' => ['spx', (string) $two, ['wt' => 2000, 'mu' => 2000]];
        yield 'Xdebug trace' => ['xdebug-trace', Fixtures::bytes('xdebug.xt'), self::ofTrace(Fixtures::bytes('xdebug.xt'))];
        $array = json_decode(Fixtures::bytes('memprof-array.json'), true);
        self::assertIsArray($array);
        yield 'memprof array' => ['memprof', Fixtures::bytes('memprof-array.json'), [
            'mu' => $array['memory_size_inclusive'],
            'BlocksCount' => $array['blocks_count_inclusive'],
        ]];
        yield 'memprof pprof' => ['memprof-pprof', Fixtures::memprofPprof(), ['mu' => 56 + 8192 + 584]];
        yield 'Twig' => ['blackfire', Fixtures::bytes('twig.blackfire'), ['wt' => 9000, 'mu' => 40000, 'pmu' => 90000]];
        yield "Go's CPU profile" => ['pprof', Fixtures::goPprof(), ['samples' => 8, 'cpu' => 80000]];
        yield "Go's heap profile" => ['pprof', Fixtures::goHeap(), ['mu' => 1024]];
        $whole = ['wt' => Runs::small()['main()']['wt']];
        yield 'XHGui' => ['xhgui', (string) json_encode(['profile' => Runs::small(), 'meta' => []]), $whole];
        yield 'calls alone, main() last' => [
            'xhgui',
            (string) json_encode(array_diff_key(Runs::small(), ['main()' => 1]) + Runs::small()),
            $whole,
        ];
        yield 'run file' => ['xhprof', serialize(Runs::small()), $whole];
        foreach (['json', 'speedscope', 'callgrind', 'xhprof', 'pprof'] as $format) {
            yield "our $format" => [$format, ExportRuns::written($format, ExportRuns::small()), ['wt' => 1076, 'cpu' => 940]];
            yield "our $format of samples" => [$format, ExportRuns::written($format, ExportRuns::sampled()), ['wt' => 500000]];
        }
    }

    /** @param array<string, int|float> $sums */
    #[DataProvider('files')]
    public function testOwnCostsAddUpToTheFile(string $reader, string $bytes, array $sums, string $name = 'input'): void
    {
        file_put_contents("$this->folder/$name", $bytes);
        $file = InputFile::at("$this->folder/$name");
        self::assertSame($reader, Readers::for($file)::NAME, 'it is recognized');
        $run = self::only($file);
        $rows = FlatReport::compute($run->profile)->rows();
        foreach ($sums as $metric => $sum) {
            self::assertEqualsWithDelta($sum, array_sum(array_column($rows, "excl_$metric")), 0.999, "exclusive $metric");
            self::assertEqualsWithDelta($sum, $run->profile->totals()[$metric], 0.999, "the whole $metric");
            $own = $run->tree === null ? $sum : array_sum($run->tree->self[$metric]) / (Metrics::isTime($metric) ? 1000 : 1);
            self::assertEqualsWithDelta($sum, $own, 0.999, "$metric of the call tree");
            if ($metric !== 'mu') {
                self::assertSame(0, min([0, ...array_column($rows, "excl_$metric")]), "$metric of no function is below 0");
            }
        }
    }

    public function testWhatWeExportAsPprofComesBackWithTheSameFigures(): void
    {
        foreach ([ExportRuns::small(), ExportRuns::sampled(), ExportRuns::hostile()] as $run) {
            file_put_contents("$this->folder/x.pb.gz", ExportRuns::written('pprof', $run));
            $back = self::only(InputFile::at("$this->folder/x.pb.gz"));
            $tree = $run->tree();
            self::assertNotNull($tree);
            self::assertNotNull($back->tree);
            self::assertSame(array_map(Utf8Names::utf8(...), $tree->names), $back->tree->names);
            self::assertSame([$tree->fn, $tree->depth, $tree->ct], [$back->tree->fn, $back->tree->depth, $back->tree->ct]);
            self::assertSame([$tree->self, $tree->corrected], [$back->tree->self, $back->tree->corrected]);
            self::assertSame($tree->allocations, $back->tree->allocations);
            $title = Utf8Names::utf8($run->title());
            self::assertSame([$title, $run->meta()->ts], [$back->meta['command'] ?? '', $back->meta['ts'] ?? 0]);
        }
    }

    public function testSamplesOfATimerKeepTheirOrder(): void
    {
        $weights = [1000, 1, 2, 1];
        file_put_contents("$this->folder/x.json", json_encode([
            '$schema' => 'https://www.speedscope.app/file-format-schema.json',
            'shared' => ['frames' => [['name' => 'slow', 'file' => 'a.php', 'line' => 3], ['name' => 'x']]],
            'profiles' => [['type' => 'sampled', 'unit' => 'milliseconds', 'samples' => [[0], [0, 1], [1], [0]],
                'weights' => $weights]],
        ]));
        $store = new RunFolder($this->folder);
        foreach ((new Importer($store))->import(InputFile::at("$this->folder/x.json"), Readers::all()['speedscope']) as $outcome) {
            self::assertNotNull($outcome->id);
            self::assertSame(1004000, $store->open($outcome->id)->profile()->totals()['wt']);
            $columns = $store->open($outcome->id)->samples();
            $names = array_map(static fn (int $fn): string => $columns?->names[$fn] ?? '', $columns->fn ?? []);
            self::assertSame(array_map(static fn (int $ms): int => $ms * 1000, $weights), $columns?->t);
            $sampled = array_map(static fn (int $node): string => $names[$node], $columns->stack);
            self::assertSame(['slow', 'x', 'x', 'slow'], $sampled);
            self::assertSame('a.php:3', $store->open($outcome->id)->tree()?->places->at(1)?->text(), 'the places too');
        }
    }

    public function testSamplesWeExportComeBackWithTheirNumber(): void
    {
        $tree = CallTree::fromArray([
            'names' => ['main()', 'a'], 'fn' => [0, 1], 'depth' => [0, 1], 'ct' => [2, 4], 'self' => ['wt' => [4000000, 8000000]],
        ]);
        $log = ['interval_us' => 2000, 'start_us' => 1, 't' => [0, 2, 9], 'n' => [2, 3, 1], 'node' => [0, 1, 1], 'clock' => 'wall'];
        $samples = SampleColumns::fromLog($log, $tree);
        $run = new MadeRun(null, 'x', ExportRuns::sampled()->meta(), $tree, log: $samples);
        file_put_contents("$this->folder/x.json", ExportRuns::written('speedscope', $run));
        $back = self::only(InputFile::at("$this->folder/x.json"));
        self::assertSame([2, 4], $back->tree?->ct);
        self::assertSame($tree->self, $back->tree->self, 'time without a sample belongs to no function');
        foreach (['interval_us', 't', 'n', 'node'] as $column) {
            self::assertSame($log[$column], $back->log[$column] ?? null, $column);
        }
        self::assertSame([6, 2000], [$back->meta['samples'], $back->meta['sample_interval_us']]);
    }

    /** @return array{wt: float, mu: int} of a trace of Xdebug: from the first line to the last */
    private static function ofTrace(string $trace): array
    {
        preg_match_all('/^[0-9]*\t[0-9]*\t[01]?\t([0-9.]+)\t([0-9]+)/m', $trace, $lines);
        $last = count($lines[1]) - 1;

        return [
            'wt' => ((float) $lines[1][$last] - (float) $lines[1][0]) * 1e6,
            'mu' => (int) $lines[2][$last] - (int) $lines[2][0],
        ];
    }

    private static function only(InputFile $file): ImportedRun
    {
        $runs = iterator_to_array((static fn () => yield from Readers::for($file)->read($file))());
        self::assertCount(1, $runs);
        $run = reset($runs);
        self::assertInstanceOf(ImportedRun::class, $run);

        return $run;
    }
}
