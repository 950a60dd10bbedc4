<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Stats\Buckets;

final class BucketsTest extends TestCase
{
    /** @return iterable<string, array{\Closure(int): int}> values of 20,000 requests, µs */
    public static function shapes(): iterable
    {
        yield 'uniform' => [static fn (int $i): int => 1000 + $i * 5];
        yield 'exponential' => [static fn (int $i): int => (int) (-20000 * log(1 - ($i + 0.5) / 20000))];
        yield 'two modes' => [static fn (int $i): int => $i % 20 === 0 ? 900000 + $i : 3000 + $i % 97];
        yield 'a long tail' => [static fn (int $i): int => (int) (1000 / (1 - ($i + 0.5) / 20000))];
    }

    /** @param \Closure(int): int $value */
    #[DataProvider('shapes')]
    public function testQuantilesAreRightWithinTwoPercent(\Closure $value): void
    {
        $values = array_map($value, range(0, 19999));
        $parts = array_map(Buckets::fromValues(...), array_chunk($values, 777));
        $all = array_reduce($parts, static fn (Buckets $sum, Buckets $part): Buckets => $sum->plus($part), Buckets::none());
        sort($values);
        self::assertEquals(Buckets::fromValues($values), $all);
        foreach ([0.5, 0.9, 0.95, 0.99, 0.999, 1.0] as $share) {
            $exact = $values[(int) ceil($share * 20000) - 1];
            self::assertEqualsWithDelta($exact, $all->quantile($share), 0.02 * $exact, "$share");
        }
        self::assertEquals($all, Buckets::fromSteps($all->toSteps()));
        $bars = $all->bars(10);
        self::assertLessThanOrEqual(10, count($bars));
        self::assertSame(20000, array_sum(array_column($bars, 'count')));
        foreach ($bars as $i => $bar) {
            self::assertSame($i === 0 ? $bar['from'] : $bars[$i - 1]['to'], $bar['from']);
            self::assertGreaterThan($bar['from'], $bar['to']);
        }
    }

    public function testSmallValuesAreExact(): void
    {
        for ($value = 0; $value < 64; $value++) {
            self::assertSame($value, Buckets::fromValues([$value])->quantile(0.5));
        }
        $largest = Buckets::fromValues([PHP_INT_MAX]);
        self::assertSame([Buckets::COUNT - 1, 1], $largest->toSteps());
        self::assertEqualsWithDelta(Buckets::LARGEST, $largest->quantile(1), 0.02 * Buckets::LARGEST);
    }

    public function testNothing(): void
    {
        self::assertNull(Buckets::none()->quantile(0.5));
        self::assertSame([], Buckets::none()->bars(5));
        self::assertSame(0, Buckets::none()->count());
    }

    public function testOfAFileOnlyWhatIsValidCounts(): void
    {
        $kept = static fn (mixed $steps): array => Buckets::fromSteps($steps)->toSteps();
        self::assertSame([3, 2, 5, 1], $kept([3, 2, 5, 1]));
        self::assertSame([3, 2], $kept([3, 2, 0, 1, 5, 1]), 'no bucket comes twice');
        self::assertSame([3, 2], $kept([3, 2, Buckets::COUNT, 1]));
        self::assertSame([3, 2], $kept([3, 2, '4', 1]));
        self::assertSame([7, 1], $kept([3, -2, 4, 1]), 'a count below nothing is none');
        self::assertSame([3, 2], $kept([3, 2, 9]));
        self::assertSame([], $kept(['a' => 1]));
        self::assertSame([], $kept(null));
        self::assertSame(Buckets::LARGEST, Buckets::fromSteps([1, PHP_INT_MAX, 1, PHP_INT_MAX])->count());
    }
}
