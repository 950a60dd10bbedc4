<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Memory\JobTrend;

/** A leak goes on until the last spans of a job; caches with a bound and what is loaded at first do not. */
final class JobTrendTest extends TestCase
{
    /** @return iterable<string, array{list<int>, string}> growth of each span, the word for it */
    public static function jobs(): iterable
    {
        $each = static fn (int $spans, \Closure $bytes): array => array_map($bytes, range(0, $spans - 1));
        foreach ([6, 10, 29, 30, 31, 100, 5000] as $spans) {
            yield "a leak in each of $spans" => [$each($spans, static fn (): int => 4096), 'grows'];
            yield "a leak that becomes larger, $spans" => [$each($spans, static fn (int $i): int => 1000 * (4 + $i)), 'grows'];
            yield "the first loads all, $spans" => [$each($spans, static fn (int $i): int => $i === 0 ? 1 << 20 : 0), 'stopped'];
            yield "nothing, $spans" => [$each($spans, static fn (int $i): int => $i % 2 === 0 ? 800 : -800), 'steady'];
            yield "it gives back, $spans" => [$each($spans, static fn (): int => -5000), 'steady'];
        }
        foreach ([0.1, 0.5, 0.85] as $full) {
            $filled = $each(1000, static fn (int $i): int => $i < $full * 1000 ? 2000 : 0);
            yield "a cache that is full after $full" => [$filled, 'stopped'];
            yield "a cache that replaces after $full" => [
                $each(1000, static fn (int $i): int => $i < $full * 1000 ? 2000 : [-700, 500, 200][$i % 3]),
                'stopped',
            ];
        }
        yield 'a leak in each tenth span' => [$each(1000, static fn (int $i): int => $i % 10 === 7 ? 9000 : 0), 'grows'];
        yield 'a leak beside what is freed and allocated' => [
            $each(1000, static fn (int $i): int => 200 + ($i % 2 === 0 ? 50_000 : -50_000)),
            'grows',
        ];
        yield 'a leak that begins after the middle' => [$each(1000, static fn (int $i): int => $i < 600 ? 0 : 3000), 'grows'];
        yield 'a leak of which little is left' => [$each(1000, static fn (int $i): int => $i < 500 ? 3000 : 10), 'stopped'];
        yield 'cycles that are collected' => [$each(1000, static fn (int $i): int => $i % 100 === 99 ? -99_000 : 1000), 'steady'];
        yield 'too little' => [$each(1000, static fn (): int => 16), 'steady'];
        yield 'few spans' => [[1 << 20, 1 << 20, 1 << 20, 1 << 20, 1 << 20], 'few spans'];
        yield 'none' => [[], 'few spans'];
    }

    /** @param list<int> $growth */
    #[DataProvider('jobs')]
    public function testTheTrendIsJudgedOverWindows(array $growth, string $word): void
    {
        self::assertSame($word, JobTrend::of($growth)->value);
    }

    public function testWindowsHaveAllSpans(): void
    {
        foreach ([6, 7, 11, 29, 30, 47, 999] as $spans) {
            $windows = JobTrend::windows(range(1, $spans));
            self::assertCount($spans >= 30 ? 10 : ($spans >= 10 ? 5 : 3), $windows);
            self::assertSame($windows, array_values(array_unique($windows)));
            self::assertLessThan(1 + $spans / count($windows), $windows[0]);
            self::assertGreaterThan($spans - 1 - $spans / count($windows), $windows[count($windows) - 1]);
        }
        self::assertSame([], JobTrend::windows([1, 2, 3, 4, 5]));
    }
}
