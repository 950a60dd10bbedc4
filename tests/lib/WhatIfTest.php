<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\UnknownSymbol;
use XHProf\Functions\FlatReport;
use XHProf\Operations\OperationRow;
use XHProf\Owners\GroupBy;
use XHProf\Owners\Grouping;
use XHProf\Profile\CallTree;
use XHProf\Run\MadeRun;
use XHProf\Run\MeanRun;
use XHProf\Run\Run;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;
use XHProf\Run\Exemplars;
use XHProf\Stats\Buckets;
use XHProf\Store\RunFolder;
use XHProf\Store\WindowRange;
use XHProf\Tests\Lib\Support\OperationsRun;
use XHProf\Tests\Lib\Support\PlantedWindows;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\TemporaryFolder;
use XHProf\WhatIf\RoutesWithout;
use XHProf\WhatIf\RunWithout;
use XHProf\WhatIf\Strike;

require_once __DIR__ . '/Support/OperationsRun.php';
require_once __DIR__ . '/Support/PlantedWindows.php';
require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** What a run would take without some of it: planted trees, of which the answer is known. */
final class WhatIfTest extends TestCase
{
    use TemporaryFolder;

    /**
     * main() 10, a 20 [b 30 [a 5, c 7], c 11], c 13; milliseconds of their own, half of it CPU time.
     *
     * @param array<string, mixed> $meta
     */
    private static function planted(array $meta = [], int $times = 1): MadeRun
    {
        $ms = static fn (int ...$values): array
            => array_map(static fn (int $one): int => $one * 1000000 * $times, array_values($values));
        $tree = CallTree::fromArray([
            'names' => ['main()', 'a', 'b', 'c', 'Acme\Pdf\draw'],
            'fn' => [0, 1, 2, 1, 3, 3, 3, 4],
            'depth' => [0, 1, 2, 3, 3, 2, 1, 1],
            'ct' => [1, 2, 4, 8, 16, 32, 64, 1],
            'self' => [
                'wt' => $ms(10, 20, 30, 5, 7, 11, 13, 4),
                'cpu' => array_map(static fn (int $ns): int => intdiv($ns, 2), $ms(10, 20, 30, 5, 7, 11, 13, 4)),
            ],
        ]);

        return new MadeRun(RunId::fromStrings('r', 's'), 'r', RunMeta::fromArray($meta), $tree);
    }

    /** @return array<string, int|float|null> what is left by metric */
    private static function left(Run $run, Strike $strike): array
    {
        return array_column(RunWithout::of($run, $strike)->figures, 'left', 'metric');
    }

    /** @return array<string, array{list<string>, int, int}> names; ms that are left of 100; outermost calls */
    public static function struck(): array
    {
        return [
            'nothing' => [[], 100, 0],
            'a leaf, wherever it is' => [['c'], 100 - 7 - 11 - 13, 112],
            'a recursion counts its outermost calls' => [['a'], 100 - 73, 2],
            'a function with what it calls' => [['b'], 100 - 42, 4],
            'one within another counts once' => [['a', 'b'], 100 - 73, 2],
            'what is within and beside' => [['b', 'c'], 100 - 42 - 11 - 13, 4 + 32 + 64],
            'the same twice' => [['c', 'c'], 69, 112],
            'all' => [['main()'], 0, 1],
        ];
    }

    /** @param list<string> $names */
    #[DataProvider('struck')]
    public function testTotalsLessOutermostCalls(array $names, int $left, int $calls): void
    {
        $run = self::planted();
        $without = RunWithout::of($run, Strike::of($run, $names));
        $found = array_map('intval', self::left($run, Strike::of($run, $names)));
        self::assertSame(['wt' => $left * 1000, 'cpu' => $left * 500], $found);
        self::assertSame($calls, $without->calls);
        foreach ($without->figures as $figure) {
            self::assertEquals($figure['total'], $figure['struck'] + $figure['left'], $figure['metric']);
        }
    }

    public function testOneFunctionIsItsTotalOnTheFunctionsPage(): void
    {
        $run = self::planted();
        foreach (FlatReport::compute($run->profile(), true)->rows() as $name => $row) {
            $figures = RunWithout::of($run, Strike::of($run, [(string) $name]))->figures;
            self::assertEquals($row['wt'] ?? null, $figures[0]['struck'], (string) $name);
        }
    }

    public function testARunWithoutCallPathsHasOneFunctionAlone(): void
    {
        $store = new RunFolder($this->folder);
        $store->save([
            'main()' => ['ct' => 1, 'wt' => 100], 'main()==>f' => ['ct' => 1, 'wt' => 60], 'f==>f@1' => ['ct' => 1, 'wt' => 40],
            'f@1==>g' => ['ct' => 1, 'wt' => 10],
        ], 'x', 'edges');
        $run = $store->find('edges');
        self::assertFalse($run->has(Run::TREE));
        self::assertSame(['wt' => 40], self::left($run, Strike::of($run, ['f'])));
        $store->save(['main()' => ['ct' => 1, 'wt' => 100], 'main()==>Acme\Pdf\draw' => ['ct' => 1, 'wt' => 60]], 'x', 'groups');
        $grouped = $store->find('groups');
        $strike = Strike::of($grouped, ['Acme\Pdf'], new Grouping(GroupBy::Namespace));
        self::assertSame(['wt' => 40], self::left($grouped, $strike));
        $this->expectException(UnknownSymbol::class);
        $this->expectExceptionMessage('no call paths');
        RunWithout::of($run, Strike::of($run, ['f', 'g']));
    }

    public function testTheMeanOfSeveralRuns(): void
    {
        $mean = new MeanRun([static fn (): Run => self::planted(), static fn (): Run => self::planted([], 3)]);
        self::assertEquals(['wt' => 2 * 58000, 'cpu' => 2 * 29000], self::left($mean, Strike::of($mean, ['b'])));
    }

    public function testASampledRunSaysThatItIsAnEstimate(): void
    {
        $run = self::planted(['samples' => 127, 'sample_interval_us' => 1000, 'sampling' => ['clock' => 'wall']]);
        $without = RunWithout::of($run, Strike::of($run, ['b']));
        self::assertNull($without->calls);
        self::assertStringContainsString('an estimate', $without->notes()[0]);
        self::assertStringContainsString('Exact', RunWithout::of(self::planted(), Strike::of(self::planted(), ['b']))->notes()[0]);
    }

    public function testGroupsTakeWhatBelongsToThem(): void
    {
        $run = self::planted();
        $grouping = new Grouping(GroupBy::Namespace);
        self::assertSame(96000, self::left($run, Strike::of($run, ['Acme\Pdf'], $grouping))['wt']);
        $this->expectExceptionMessage('the run has no namespace "Acme\Pfd"; did you mean "Acme\Pdf"?');
        Strike::of($run, ['Acme\Pfd'], $grouping);
    }

    public function testAnUnknownNameNamesTheNearest(): void
    {
        $this->expectException(UnknownSymbol::class);
        $this->expectExceptionMessage('the run has no function or operation "Acme\Pdf\drwa"; did you mean "Acme\Pdf\draw"?');
        Strike::of(self::planted(), ['Acme\Pdf\drwa']);
    }

    public function testHostileNamesArePrintable(): void
    {
        try {
            Strike::of(self::planted(), ["\x1b[31m<b>"]);
            self::fail();
        } catch (UnknownSymbol $e) {
            self::assertStringContainsString('"\x1B[31m<b>"', $e->getMessage());
        }
    }

    /** A query of 20 ms in a, one of 6 ms in c within b: their times are parts of those of the functions. */
    private function operations(): Run
    {
        RunFiles::write($this->folder, 'ops.s', [
            'meta' => ['v' => 1, 'totals' => ['wt' => 100000, 'cpu' => 4]],
            'tree' => [
                'names' => ['main()', 'a', 'b', 'c'], 'fn' => [0, 1, 2, 3], 'depth' => [0, 1, 2, 3], 'ct' => [1, 1, 1, 1],
                'self' => ['wt' => [40000000, 30000000, 20000000, 10000000], 'cpu' => [1000, 1000, 1000, 1000]],
            ],
            'operations' => OperationsRun::data([
                ['sql', 'SELECT 1', 1, 2, 20000000, 15000000, 2], ['sql', 'SELECT 2', 3, 3, 6000000, 3000000, 3],
            ]),
        ]);

        return (new RunFolder($this->folder))->find('ops');
    }

    public function testOperationsAreStruckByTextOrId(): void
    {
        $run = $this->operations();
        $left = static fn (string ...$wanted): array => self::left($run, Strike::of($run, array_values($wanted)));
        self::assertEquals(['wt' => 80000, 'cpu' => null], $left('SELECT 1'));
        self::assertEquals(['wt' => 80000, 'cpu' => null], $left(Strike::OPERATION . OperationRow::idOf('sql', 'SELECT 1')));
        self::assertEquals(['wt' => 74000, 'cpu' => null], $left('SELECT 1', 'SELECT 2'));
        self::assertEquals(['wt' => 50000, 'cpu' => null], $left('SELECT 1', 'b'), 'another query in another function');
        self::assertEquals(['wt' => 70000, 'cpu' => null], $left('SELECT 2', 'b'), 'a query in what is struck');
        $this->expectExceptionMessage('did you mean "SELECT 1"?');
        Strike::of($run, ['SELCET 1']);
    }

    public function testAllRequestsWithTheSameShare(): void
    {
        $walls = Buckets::fromValues([10000, 20000, 40000, 80000]);
        $left = RoutesWithout::walls($walls, 0.5, []);
        foreach ([5000, 10000, 20000, 40000] as $at => $wall) {
            self::assertEqualsWithDelta($wall, $left->quantile(($at + 1) / 4), $wall * 0.04);
        }
        self::assertSame(4, RoutesWithout::walls($walls, 1.0, [])->count());
        self::assertSame(0, RoutesWithout::walls($walls, 7.0, [])->quantile(1.0));
        self::assertSame($walls->toSteps(), RoutesWithout::walls($walls, 0.0, [])->toSteps());
    }

    /** 90 of 100 requests take 10 ms without a query, ten take 100 ms of which the query is 80 ms: without it 20 ms. */
    public function testSlowRequestsThatAloneHaveItBecomeFast(): void
    {
        $walls = Buckets::fromValues([...array_fill(0, 90, 10000), ...array_fill(0, 10, 100000)]);
        $share = 0.1 * 80 / (0.9 * 10 + 0.1 * 100);
        $kept = [
            ...array_fill(0, 10, ['wall' => 101000, 'share' => 0.8]), ...array_fill(0, 9, ['wall' => 9900, 'share' => 0.0]),
        ];
        $left = RoutesWithout::walls($walls, $share, $kept);
        self::assertEqualsWithDelta(20000, $left->quantile(0.95), 1000);
        self::assertEqualsWithDelta(10000, $left->quantile(0.5), 400);
        // Without kept requests nothing says which of them have it.
        self::assertEqualsWithDelta(100000 * (1 - $share), RoutesWithout::walls($walls, $share, [])->quantile(0.95), 2500);
        // Two are too few.
        $two = RoutesWithout::walls($walls, $share, array_slice($kept, 0, 2));
        self::assertSame(RoutesWithout::walls($walls, $share, [])->toSteps(), $two->toSteps());
    }

    /** The same, in the windows of a range: shares are those of samples, kept requests those of the files. */
    public function testTheRoutesOfARange(): void
    {
        for ($i = 0; $i < 6; $i++) {
            $requests = [
                ...PlantedWindows::requests(90, 10000, ['render' => 1.0]),
                ...PlantedWindows::requests(10, 100000, ['render' => 0.2, 'query' => 0.8]),
            ];
            $window = PlantedWindows::write($this->folder, 1790000000 + 60 * $i, [
                'GET /a' => $requests, 'GET /b' => PlantedWindows::requests(5, 50000, ['render' => 1.0]),
            ]);
            PlantedWindows::keep($this->folder, $window, 'GET /a', [
                Exemplars::SLOWEST => [100000, ['render' => 2, 'query' => 8]], Exemplars::RANDOM => [10000, ['render' => 1]],
            ]);
        }
        $id = WindowRange::id(PlantedWindows::SOURCE, 1790000000, 1790001000);
        $run = (new RunFolder($this->folder))->open($id ?? self::fail());
        $strike = Strike::of($run, ['query']);
        $tables = RoutesWithout::tables($run, $strike);
        $rows = array_column($tables[0]->rows, null, 'route');
        self::assertSame(600, $rows['GET /a']['requests']);
        self::assertEqualsWithDelta(8 / 19, $rows['GET /a']['share'], 0.001);
        self::assertSame(12, $rows['GET /a']['kept']);
        self::assertEqualsWithDelta(100000, $rows['GET /a']['p95'], 2000);
        self::assertEqualsWithDelta(20000, $rows['GET /a']['p95_left'], 1000);
        self::assertEqualsWithDelta(10000, $rows['GET /a']['p50_left'], 400);
        self::assertSame([0.0, $rows['GET /b']['p95']], [$rows['GET /b']['share'], $rows['GET /b']['p95_left']]);
        self::assertEquals(6 * 10 * 80000, RunWithout::of($run, $strike)->figures[0]['struck']);
        self::assertStringContainsString('estimate', RoutesWithout::notes($run)[0]);
        self::assertSame([], RoutesWithout::tables(self::planted(), Strike::of(self::planted(), ['a'])));
        // A route struck out is all of it.
        $all = array_column(RoutesWithout::tables($run, Strike::of($run, ['GET /a']))[0]->rows, null, 'route');
        self::assertSame([0, 0.0], [(int) $all['GET /a']['p95_left'] < 1000 ? 0 : 1, $all['GET /b']['share']]);
    }
}
