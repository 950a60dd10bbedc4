<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\UnknownMetric;
use XHProf\Profile\CallTree;
use XHProf\Profile\CorrectedTimes;
use XHProf\Profile\Metrics;
use XHProf\Profile\Profile;
use XHProf\Report\FlatReport;
use XHProf\Report\SymbolReport;
use XHProf\Store\RunStore;
use XHProf\Tests\Lib\Support\TemporaryFolder;

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
        $report = FlatReport::of(self::corrected());
        self::assertSame(['wt', 'corrected_wt', 'mu'], $report->metrics());
        $figures = array_map(
            static fn (array $row): array => [$row['excl_corrected_wt'] ?? null, $row['corrected_wt'] ?? null],
            $report->rows(),
        );
        self::assertEquals(['g' => [2, 2], 'f@1' => [1, 1.5], 'f' => [2, 3.5], 'main()' => [3, 8]], $figures);
        self::assertSame(['main()', 'f', 'g', 'f@1'], array_keys($report->sorted('corrected_wt')));
        self::assertSame(8, $report->totals()['corrected_wt']);
        $f = SymbolReport::of(self::corrected(), 'f');
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

    /** The saved tree has names that JSON can hold, the saved run has the program's. */
    public function testNamesThatAreNotUtf8(): void
    {
        $names = ['main()', "a\xFF", 'é'];
        $edges = CallTree::fromArray(['names' => $names] + self::data())->toEdges()->edges();
        $tree = CallTree::fromArray(['names' => ['main()', 'a\xff', 'é']] + self::data());
        $both = CorrectedTimes::join(Profile::fromEdges($edges), $tree)?->edges();
        self::assertSame(array_keys($edges), array_keys($both ?? []));
        self::assertSame(3.5, $both["main()==>a\xFF"]['corrected_wt'] ?? null);
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
        $store = new RunStore($this->folder);
        $profile = CallTree::fromArray(self::data())->toEdges();
        $run = $store->save($profile, 'lib', 'a1');
        self::assertNull($store->withCorrected($profile, $run), 'no call tree');
        $file = "$this->folder/" . $run->fileName('tree.json');
        file_put_contents($file, json_encode(self::data()));
        $both = (new RunStore($this->folder))->withCorrected($profile, $run);
        self::assertSame(8, $both?->totals()['corrected_wt'] ?? null);

        $other = Profile::fromEdges(['main()' => ['ct' => 1, 'wt' => 2]]);
        $this->expectException(DamagedRun::class);
        $this->expectExceptionMessage("$file: the call tree is not the one of this run");
        $store->withCorrected($other, $run);
    }
}
