<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Compare\ProfileDiff;
use XHProf\Compare\Statistics;
use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Functions\FlatReport;
use XHProf\Functions\SymbolReport;
use XHProf\Profile\ProfileMean;
use XHProf\Profile\SampleColumns;
use XHProf\Profile\TimeRange;
use XHProf\Run\PartOfRun;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** Runs that were sampled. */
final class SamplesTest extends TestCase
{
    use TemporaryFolder;

    /** Every 100 ms except one, which the profiler missed; the last but one is in the middle of an interval. */
    private const SAMPLES = [
        '1690000000.100000' => 'main()==>a',
        '1690000000.400000' => 'main()==>b',
        '1690000000.200000' => 'main()==>a==>f==>f@1',
        '1690000000.600000' => 'main()==>b',
        '1690000000.500000' => 'main()==>b==>user\x401',
        '1690000000.700000' => 'main()',
    ];

    public function testARangeHasTheSamplesOfItsTime(): void
    {
        $store = new RunFolder($this->folder);
        $id = $store->saveSamples(self::SAMPLES, 'drawn', 'part');
        self::assertSame(700000000, $store->open($id)->span()?->duration);
        // The first 100 ms are a; f is sampled from 100 to 200 ms, b from 200 to 500 ms with user@1 in it from 400 to 500 ms.
        $tree = (new PartOfRun($store->open($id), new TimeRange(150000000, 450000000)))->tree();
        self::assertNotNull($tree);
        $found = [];
        foreach ($tree->exclusive('wt') as $node => $time) {
            $found[] = [$tree->names[$tree->fn[$node]], $tree->depth[$node], intdiv($time, 1000000), $tree->ct[$node]];
        }
        self::assertSame([
            ['main()', 0, 0, 0], ['a', 1, 0, 0], ['f', 2, 0, 0], ['f', 3, 50, 1], ['b', 1, 200, 1], ['user\x401', 2, 50, 1],
        ], $found);
        $profile = (new PartOfRun($store->open($id), new TimeRange(150000000, 450000000)))->profile();
        self::assertSame(['ct' => 3, 'wt' => 300000], array_intersect_key($profile->totals(), ['wt' => 1, 'ct' => 1]));
        $all = (new PartOfRun($store->open($id), new TimeRange(0, 700000000)))->tree();
        self::assertEquals($store->open($id)->tree(), $all);
        $none = (new PartOfRun($store->open($id), new TimeRange(900000000, 950000000)))->samples();
        self::assertSame([[0], [-1]], [$none?->t, $none?->stack]);
    }

    public function testReportsOfASampledRunCountSamplesAndItsEdgesDoNot(): void
    {
        $store = new RunFolder($this->folder);
        $runs = [];
        foreach (['d1' => 3000, 'd2' => 5000] as $id => $wall) {
            $edges = ['main()' => ['ct' => 1, 'wt' => 2 * $wall], 'main()==>a' => ['ct' => 1, 'wt' => $wall]];
            $meta = ['samples' => intdiv(2 * $wall, 1000) + 1, 'sample_interval_us' => 1000];
            $runs[] = $store->open($store->save($edges, 'drawn', $id, $meta))->profile();
        }
        [$first, $second] = $runs;
        self::assertSame([1, 1], array_column($first->edges(), 'ct'));
        self::assertSame(7, $first->totals()['ct'], 'as many as were taken');
        self::assertSame(['a' => 3, 'main()' => 3], array_map(
            static fn (array $row): int|float => $row['ct'],
            FlatReport::compute($first)->sorted('fn'),
        ));
        self::assertSame(3, SymbolReport::compute($first, 'a')->self()['ct']);
        $diff = ProfileDiff::between($first, $second);
        self::assertSame([4, 2], [$diff->totals()['delta']['ct'], $diff->rows()['a']['ct']]);
        $mean = ProfileMean::compute($runs);
        self::assertSame(9, Statistics::compute($runs)->total('ct')->mean());
        self::assertSame([9, 4], [$mean->totals()['ct'], SymbolReport::compute($mean, 'a')->self()['ct']]);
        $weighted = FlatReport::compute(ProfileMean::compute($runs, [1, 3]))->rows()['a']['ct'];
        self::assertSame([4.5, 4.5], [$weighted, Statistics::compute($runs, [1, 3])->distribution('a', 'ct')->statistic('mean')]);
        $spread = Statistics::compute($runs);
        self::assertEquals([[3, 5], [7, 11]], [$spread->values('a', 'ct'), $spread->totalValues('ct')]);

        RunFiles::remove($this->folder, 'd1.drawn', 'meta');
        $unknown = $store->open(RunId::fromStrings('d1', 'drawn'))->profile();
        self::assertSame(2, $unknown->totals()['ct'], 'without metadata nothing says that it was sampled');
    }

    public function testColumns(): void
    {
        $columns = SampleColumns::fromSamples(self::SAMPLES);
        self::assertSame(100000, $columns->interval);
        self::assertSame([100000, 100000, 200000, 100000, 100000, 100000], $columns->t);
        self::assertSame([6, 700000], [$columns->count(), $columns->duration()]);
        self::assertSame(['main()', 'a', 'f', 'b', 'user\x401'], $columns->names);
        self::assertSame([0, 1, 2, 2, 3, 4], $columns->fn);
        self::assertSame([-1, 0, 1, 2, 0, 4], $columns->parent);
        self::assertSame([1, 3, 4, 5, 4, 0], $columns->stack);
    }

    public function testTree(): void
    {
        $tree = SampleColumns::fromSamples(self::SAMPLES)->tree();
        self::assertSame([0, 1, 2, 2, 3, 4], $tree->fn);
        self::assertSame([0, 1, 2, 3, 1, 2], $tree->depth);
        self::assertSame([1, 1, 0, 1, 2, 1], $tree->ct);
        self::assertSame([100000000, 100000000, 0, 100000000, 300000000, 100000000], $tree->exclusive('wt'));
    }

    public function testASampledRunIsARunLikeOthers(): void
    {
        $store = new RunFolder($this->folder);
        $id = $store->saveSamples(self::SAMPLES, 'x');
        self::assertSame([
            'f==>f@1' => ['ct' => 1, 'wt' => 100000],
            'a==>f' => ['ct' => 0, 'wt' => 100000],
            'main()==>a' => ['ct' => 1, 'wt' => 200000],
            'b==>user\x401' => ['ct' => 1, 'wt' => 100000],
            'main()==>b' => ['ct' => 2, 'wt' => 400000],
            'main()' => ['ct' => 1, 'wt' => 700000],
        ], $store->open($id)->profile()->edges());
        self::assertSame(6, $store->open($id)->tree()?->count());
        self::assertSame(['ct' => 6, 'wt' => 700000], $store->open($id)->profile()->totals());
        self::assertSame(self::SAMPLES, $store->open($id)->recordedSamples());
        self::assertSame(6, $store->open($id)->samples()?->count());
        $meta = $store->open($id)->meta();
        self::assertSame([6, 100000], [$meta->recording->samples, $meta->recording->sampleInterval]);
        self::assertSame(700000, $meta->totals->durationUs);
        self::assertSame(1690000000.1, $meta->ts);

        $other = $store->save(['main()' => ['ct' => 1, 'wt' => 5]], 'x');
        self::assertNull($store->open($other)->samples());
        self::assertNull($store->open($other)->recordedSamples());
        self::assertNull($store->open($other)->tree());
        self::assertSame(6, $store->open($id)->samples()->count());
    }

    public function testOneSample(): void
    {
        $columns = SampleColumns::fromSamples(['1690000000' => 'run_init::x.php==>f']);
        self::assertSame(['main()', 'run_init::x.php', 'f'], $columns->names);
        self::assertSame([100000], $columns->t);
    }

    /** @return array<string, array{array<mixed>, string}> */
    public static function wrong(): array
    {
        return [
            'none' => [[], 'there are no samples'],
            'no time' => [['now' => 'main()'], 'a sample has no time'],
            'negative' => [['-5' => 'main()'], 'a sample has no time'],
            'no stack' => [['1.0' => 5], 'a sample has no call stack'],
            'empty stack' => [['1.0' => ''], 'a sample has no call stack'],
            'nameless' => [['1.0' => 'main()==>==>f'], 'names no function'],
            'too deep' => [['1.0' => str_repeat('f==>', 100001) . 'f'], 'too deep'],
            'too far apart' => [['1.0' => 'main()', '999999999999.0' => 'main()'], 'too far apart'],
        ];
    }

    /** @param array<mixed> $samples */
    #[DataProvider('wrong')]
    public function testWrongSamples(array $samples, string $why): void
    {
        $this->expectException(InvalidProfile::class);
        $this->expectExceptionMessage($why);
        SampleColumns::fromSamples($samples);
    }

    public function testADamagedFileIsNamed(): void
    {
        RunFiles::classic($this->folder, 'r.x', ['1.0' => 'main()', '2.0' => 5]);
        $store = new RunFolder($this->folder);
        foreach (['profile', 'tree', 'samples'] as $method) {
            try {
                $store->open(RunId::fromStrings('r', 'x'))->$method();
                self::fail($method);
            } catch (DamagedRun $e) {
                self::assertSame("$this->folder/r.x.xhprof: not a run (a sample has no call stack)", $e->getMessage());
            }
        }
    }
}
