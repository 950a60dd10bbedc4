<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Compare\DiffReport;
use XHProf\Compare\TimeChange;
use XHProf\Profile\Profile;
use XHProf\Profile\TimeParts;
use XHProf\Run\MadeRun;
use XHProf\Run\MeanRun;
use XHProf\Run\Run;
use XHProf\Run\RunMeta;

/** What wall time was spent on more or less, in a comparison. */
final class TimeChangeTest extends TestCase
{
    /** @return iterable<string, array{array<string, int>, array<string, int>, string}> ms of parts before and after */
    public static function changes(): iterable
    {
        yield 'the processor was taken' => [
            ['cpu' => 30, 'not_running' => 2], ['cpu' => 30, 'not_running' => 30], 'not running +28.0 ms',
        ];
        yield 'slower queries, while less was computed' => [
            ['cpu' => 30, 'sql' => 10], ['cpu' => 26, 'sql' => 41], 'SQL +31.0 ms, computing -4.00 ms',
        ];
        yield 'small ones are not named' => [
            ['cpu' => 1000, 'sql' => 10, 'sleep' => 5], ['cpu' => 1000, 'sql' => 210, 'sleep' => 14], 'SQL +200 ms',
        ];
        yield 'three at most' => [
            ['cpu' => 1], ['cpu' => 5, 'sql' => 6, 'http' => 7, 'lock' => 8],
            'locks and sessions +8.00 ms, HTTP +7.00 ms, SQL +6.00 ms',
        ];
        yield 'the same' => [['cpu' => 30], ['cpu' => 30], ''];
        yield 'nothing is known of one' => [['unknown' => 30], ['cpu' => 30, 'sql' => 9], ''];
    }

    /**
     * @param array<string, int> $a
     * @param array<string, int> $b
     */
    #[DataProvider('changes')]
    public function testThePartsWithMostOfTheChange(array $a, array $b, string $words): void
    {
        $parts = static fn (array $ms): TimeParts => TimeParts::of(array_map(static fn (int $one): int => $one * 1_000_000, $ms));
        $change = TimeChange::between($parts($a), $parts($b));
        self::assertNotNull($change);
        self::assertSame($words, $change->words());
        $rows = array_column($change->table()->rows, null, 'key');
        $sum = $rows[''];
        unset($rows['']);
        foreach (['a_us', 'b_us', 'delta_us'] as $column) {
            self::assertEquals($sum[$column], array_sum(array_column($rows, $column)), 'the parts add up');
        }
        self::assertEquals(1000 * (array_sum($b) - array_sum($a)), $sum['delta_us']);
        $drawn = $change->drawn();
        $width = static fn (string $side): float => array_sum(array_column($drawn[$side]['pieces'], 'width'));
        self::assertEqualsWithDelta(100 * array_sum($a) / max(array_sum($a), array_sum($b)), $width('a'), 0.01, 'one scale');
    }

    public function testWithoutTimesThereIsNone(): void
    {
        self::assertNull(TimeChange::between(null, TimeParts::of(['cpu' => 1])));
        self::assertNull(TimeChange::between(TimeParts::of([]), TimeParts::of([])));
    }

    public function testTheVerdictSaysWhereTheTimeWent(): void
    {
        $calm = self::made(['md5' => [10, 3000, 3000]]);
        $busy = self::made(['md5' => [10, 31000, 3000]]);
        self::assertSame(
            'Wall time: +560.0 % (+28.0 ms), not running +28.0 ms, CPU time and calls the same: the machine was busy, not the'
                . ' program. Run it several times.',
            DiffReport::between($calm, $busy, false, null)->sum('excl_wt'),
        );
        $slept = self::made(['md5' => [10, 3000, 3000], 'usleep' => [1, 20000, 0]]);
        self::assertStringContainsString(
            'wall time: 100 % of it in usleep. Of it sleeping +20.0 ms.',
            DiffReport::between($calm, $slept, false, null)->sum('excl_wt'),
        );
        $mixed = DiffReport::between($calm, self::made(['md5' => [10, 13000, 3000], 'work' => [1, 10000, 10000]]), false, null);
        $text = $mixed->sum('excl_wt');
        self::assertStringNotContainsString("the machine's", $text, 'one figure for what did not run');
        self::assertStringContainsString('not running +10.0 ms', $text);
    }

    public function testTheSameIsInJsonAndOfMeans(): void
    {
        $mean = static fn (Run $one, Run $other): Run => new MeanRun([static fn (): Run => $one, static fn (): Run => $other]);
        $a = $mean(self::made(['usleep' => [1, 1000, 0]]), self::made(['usleep' => [1, 3000, 0]]));
        $b = $mean(self::made(['usleep' => [1, 5000, 0]]), self::made(['md5' => [1, 3000, 1000]]));
        $json = DiffReport::between($a, $b, false, null)->json('excl_wt', 0, '', []);

        self::assertSame(
            ['cpu' => 500, 'sleep' => 500, 'not_running' => 1000],
            array_column($json['where']['change'], 'delta_us', 'key'),
        );
        self::assertSame(4000, $json['where']['a']['total_us']);
    }

    /** @param array<string, array{int, int, int}> $functions calls, wall and CPU time in µs of what main() calls */
    private static function made(array $functions): Run
    {
        $edges = ['main()' => [
            'ct' => 1,
            'wt' => 2000 + array_sum(array_column($functions, 1)),
            'cpu' => 2000 + array_sum(array_column($functions, 2)),
        ]];
        foreach ($functions as $name => [$ct, $wt, $cpu]) {
            $edges["main()==>$name"] = ['ct' => $ct, 'wt' => $wt, 'cpu' => $cpu];
        }

        return new MadeRun(null, 'made', RunMeta::fromArray([]), null, Profile::fromEdges($edges));
    }
}
