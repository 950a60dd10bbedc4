<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\UnknownMetric;
use XHProf\Functions\FlatReport;
use XHProf\Functions\SymbolReport;
use XHProf\Profile\CallTree;
use XHProf\Profile\CorrectedTimes;
use XHProf\Profile\Metrics;
use XHProf\Profile\Profile;
use XHProf\Run\ChangedRun;
use XHProf\Run\MadeRun;
use XHProf\Run\RunFile;
use XHProf\Run\RunMeta;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

final class CorrectedTimesTest extends TestCase
{
    use TemporaryFolder;

    /**
     * main() { f { f { g } } g }: corrected, main() took 8000 of the 11500 ns.
     *
     * @return array<string, mixed>
     */
    private static function data(): array
    {
        return [
            'names' => ['main()', 'f', 'g'],
            'fn' => [0, 1, 1, 2, 2],
            'depth' => [0, 1, 2, 3, 1],
            'ct' => [1, 2, 2, 6, 1],
            'self' => ['wt' => [4000, 3000, 2000, 1000, 1500], 'mu' => [10, 0, -4, 8, 1]],
            'corrected' => ['wt' => [3000, 2000, 1000, 500, 1500]],
        ];
    }

    private static function corrected(): Profile
    {
        $tree = CallTree::fromArray(self::data());
        $both = CorrectedTimes::join($tree->toEdges(), $tree);
        self::assertNotNull($both);

        return $both;
    }

    public function testPerNode(): void
    {
        $tree = CallTree::fromArray(self::data());
        self::assertSame(['wt', 'mu'], $tree->metrics(), 'the raw ones stay what they were');
        self::assertSame(['corrected_wt'], $tree->correctedMetrics());
        self::assertSame([3000, 2000, 1000, 500, 1500], $tree->exclusive('corrected_wt'));
        self::assertSame([8000, 3500, 1500, 500, 1500], $tree->inclusive('corrected_wt'));
        self::assertSame([4000, 3000, 2000, 1000, 1500], $tree->exclusive('wt'));
        $this->expectException(UnknownMetric::class);
        $tree->exclusive('corrected_mu');
    }

    /**
     * Costs of 100 and 40 ns of a function of the program, 30 and 20 of one of PHP.
     *
     * @return array<string, array<string, float>>
     */
    private static function overhead(): array
    {
        return ['user' => ['callee' => 100.0, 'caller' => 40.0], 'internal' => ['callee' => 30.25, 'caller' => 20.0]];
    }

    public function testCostsAreTakenOffTheCalleeAndTheCaller(): void
    {
        $tree = CallTree::fromArray(['function_kind' => [0, 0, 1]] + array_diff_key(self::data(), ['corrected' => 0]));
        $corrected = CorrectedTimes::addTo($tree, self::overhead());
        self::assertSame([
            'wt' => [
                4000 - 2 * 40 - 20,
                3000 - 2 * 100 - 2 * 40,
                2000 - 2 * 100 - 6 * 20,
                1000 - 182, // 181.5
                1500 - 30,
            ],
        ], $corrected->corrected);
        self::assertSame($tree->self, $corrected->self);
    }

    /** Inclusive times stay as near as they can. */
    public function testWhatANodeHasTooLittleItsCallerTook(): void
    {
        $data = ['function_kind' => [0, 0, 1], 'self' => ['wt' => [4000, 3000, 90, 10, 5]]] + self::data();
        unset($data['corrected']);
        $corrected = CorrectedTimes::addTo(CallTree::fromArray($data), self::overhead())->corrected['wt'];
        $f = 90 - 200 - 120 - (182 - 10);
        self::assertSame([4000 - 80 - 20 - (30 - 5), 3000 - 200 - 80 + $f, 0, 0, 0], $corrected);
    }

    /** @return iterable<string, array{array<string, mixed>, array<string, array<string, float>>}> */
    public static function unknown(): iterable
    {
        $data = ['function_kind' => [0, 0, 1]] + array_diff_key(self::data(), ['corrected' => 0]);
        yield 'no costs' => [$data, []];
        yield 'no cost of one kind' => [$data, ['user' => self::overhead()['user']]];
        yield 'no cost of the caller' => [$data, ['internal' => ['callee' => 1.0]] + self::overhead()];
        yield 'no kinds of functions' => [array_diff_key($data, ['function_kind' => 0]), self::overhead()];
        yield 'no times' => [['self' => ['mu' => $data['self']['mu']]] + $data, self::overhead()];
        yield 'calls that were never made' => [['ct' => [1, 2, 2, 1 << 54, 1]] + $data, self::overhead()];
    }

    /**
     * @param array<string, mixed>                $data
     * @param array<string, array<string, float>> $overhead
     */
    #[DataProvider('unknown')]
    public function testNothingIsCorrectedWithoutThem(array $data, array $overhead): void
    {
        self::assertSame([], CorrectedTimes::addTo(CallTree::fromArray($data), $overhead)->corrected);
    }

    /** @return iterable<string, array{list<string>}> */
    public static function settings(): iterable
    {
        yield 'whole trees' => [[]];
        yield 'full trees' => [['-d', 'xhprof.max_nodes=40']];
    }

    /**
     * The extension computes them for xhprof_call_tree(), this library for the saved run.
     *
     * @param list<string> $settings
     */
    #[DataProvider('settings')]
    public function testTheExtensionCorrectsAlike(array $settings): void
    {
        $extension = dirname(__DIR__, 2) . '/extension/modules/xhprof.so';
        if (!is_file($extension)) {
            self::markTestSkipped('the extension is not built');
        }
        $php = [PHP_BINARY, '-n', '-d', "extension=$extension", '-d', "xhprof.output_dir=$this->folder", ...$settings];
        $program = [__DIR__ . '/Support/fold-programs.php', $this->folder, '1', '60', 'profiles'];
        exec(implode(' ', array_map(escapeshellarg(...), [...$php, ...$program])) . ' 2>&1', $lines, $status);
        self::assertSame(0, $status, implode("\n", array_slice($lines, -3)));
        self::assertCount(60, $lines);
        $met = ['cpu' => 0, 'compiled' => 0, 'truncated' => 0, 'zero' => 0];
        foreach ($lines as $line) {
            $run = unserialize((string) base64_decode($line, true), ['allowed_classes' => false]);
            self::assertIsArray($run, $line);
            $file = RunFile::open(RunFiles::path($this->folder, "$run[id].fold"));
            $saved = CallTree::fromArray($file->document('tree'));
            $corrected = CorrectedTimes::addTo($saved, RunMeta::fromArray($file->document('meta'))->recording->overhead)->corrected;
            self::assertSame($run['tree']['corrected'], $corrected, "program $run[seed]");
            $met['cpu'] += isset($corrected['cpu']) ? 1 : 0;
            $met['compiled'] += in_array(CallTree::COMPILED, $saved->kinds, true) ? 1 : 0;
            $met['truncated'] += in_array(array_search('(truncated)', $saved->names, true), $saved->fn, true) ? 1 : 0;
            $met['zero'] += in_array(0, $corrected['wt'] ?? [], true) ? 1 : 0;
        }
        self::assertGreaterThan(10, $met['cpu']);
        self::assertGreaterThan(10, $met['compiled']);
        self::assertGreaterThan(10, $met['zero'], 'less was measured than the costs');
        self::assertSame($settings !== [], $met['truncated'] > 10);
    }

    public function testPerEdge(): void
    {
        self::assertSame([
            'f@1==>g' => ['ct' => 6, 'wt' => 1, 'mu' => 8, 'corrected_wt' => 0.5],
            'f==>f@1' => ['ct' => 2, 'wt' => 3, 'mu' => 4, 'corrected_wt' => 1.5],
            'main()==>f' => ['ct' => 2, 'wt' => 6, 'mu' => 4, 'corrected_wt' => 3.5],
            'main()==>g' => ['ct' => 1, 'wt' => 1, 'mu' => 1, 'corrected_wt' => 1.5],
            'main()' => ['ct' => 1, 'wt' => 11, 'mu' => 15, 'corrected_wt' => 8],
        ], self::corrected()->edges());
        self::assertArrayNotHasKey('corrected_wt', CallTree::fromArray(self::data())->toEdges()->totals());
    }

    public function testPerFunctionARecursionCountsOnce(): void
    {
        $report = FlatReport::compute(self::corrected());
        self::assertSame(['wt', 'corrected_wt', 'mu'], $report->metrics());
        $figures = array_map(
            static fn (array $row): array => [$row['excl_corrected_wt'] ?? null, $row['corrected_wt'] ?? null],
            $report->rows(),
        );
        self::assertEquals(['g' => [2, 2], 'f@1' => [1, 1.5], 'f' => [2, 3.5], 'main()' => [3, 8]], $figures);
        self::assertSame(['main()', 'f', 'g', 'f@1'], array_keys($report->sorted('corrected_wt')));
        self::assertSame(8, $report->totals()['corrected_wt']);
        $f = SymbolReport::compute(self::corrected(), 'f');
        self::assertSame(3.5, $f->parents()['main()']['corrected_wt'] ?? null);
        self::assertSame(1.5, $f->children()['f@1']['corrected_wt'] ?? null);
    }

    public function testUnitsAndCounterparts(): void
    {
        self::assertSame(['us', 'us'], [Metrics::unit('corrected_cpu'), Metrics::unit('excl_corrected_wt')]);
        self::assertSame(['corrected_wt', 'cpu'], [Metrics::counterpart('wt'), Metrics::counterpart('corrected_cpu')]);
        self::assertTrue(Metrics::isName('corrected_wt'));
    }

    public function testACallTreeWithoutThem(): void
    {
        $data = self::data();
        unset($data['corrected']);
        foreach ([$data, ['corrected' => []] + $data] as $without) {
            $tree = CallTree::fromArray($without);
            self::assertSame([], $tree->correctedMetrics());
            self::assertNull(CorrectedTimes::join($tree->toEdges(), $tree));
        }
    }

    public function testTopLevelCodeOfFilesAsInTheRun(): void
    {
        $data = ['names' => ['main()', 'run_init::x.php', 'g']] + self::data();
        $tree = CallTree::fromArray($data);
        $with = CorrectedTimes::join($tree->toEdges(), $tree)?->edges();
        self::assertSame(3.5, $with['main()==>run_init::x.php']['corrected_wt'] ?? null);
        $without = CorrectedTimes::join($tree->toEdges(false), $tree)?->edges();
        self::assertSame(2, $without['main()==>g']['corrected_wt'] ?? null);
        self::assertSame(['main()==>g', 'main()'], array_keys($without));
    }

    public function testTheCallTreeOfAnotherRunIsRefused(): void
    {
        $tree = CallTree::fromArray(self::data());
        $edges = $tree->toEdges()->edges();
        $others = [
            'more edges' => $edges + ['f==>h' => ['ct' => 1, 'wt' => 0]],
            'fewer edges' => array_slice($edges, 1),
            'another name' => array_slice($edges, 1) + ['f@1==>h' => ['ct' => 6, 'wt' => 1]],
        ];
        foreach ($others as $what => $other) {
            try {
                CorrectedTimes::join(Profile::fromEdges($other), $tree);
                self::fail("took $what");
            } catch (InvalidProfile $e) {
                self::assertStringContainsString('not the one of this run', $e->getMessage());
            }
        }
    }

    /** Whatever counts them: a run's own call tree must never be refused for a figure. */
    public function testFiguresDoNotDecideWhetherItIsTheCallTreeOfTheRun(): void
    {
        $tree = CallTree::fromArray(self::data());
        $edges = $tree->toEdges()->edges();
        $edges['main()==>f'] = ['ct' => 3, 'wt' => 5];
        $both = CorrectedTimes::join(Profile::fromEdges($edges), $tree)?->edges();
        self::assertSame(['ct' => 3, 'wt' => 5, 'corrected_wt' => 3.5], $both['main()==>f'] ?? null);
    }

    public function testOfASavedRun(): void
    {
        $store = new RunFolder($this->folder);
        $profile = CallTree::fromArray(self::data())->toEdges();
        $run = $store->save($profile, 'lib', 'a1');
        self::assertNull(ChangedRun::corrected($store->open($run))?->profile(), 'no call tree');
        RunFiles::put($this->folder, $run, ['tree' => self::data()]);
        $both = ChangedRun::corrected((new RunFolder($this->folder))->open($run))?->profile();
        self::assertSame(8, $both?->totals()['corrected_wt'] ?? null);

        $other = Profile::fromEdges(['main()' => ['ct' => 1, 'wt' => 2]]);
        $this->expectException(DamagedRun::class);
        $this->expectExceptionMessage('a run: the call tree is not the one of this run');
        $made = new MadeRun(null, 'a run', RunMeta::fromArray([]), CallTree::fromArray(self::data()), $other);
        ChangedRun::corrected($made)?->profile();
    }
}
