<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Exception\InvalidProfile;
use XHProf\Memory\JobsReport;
use XHProf\Memory\LiveReport;
use XHProf\Memory\MarkRange;
use XHProf\Memory\MemoryProfile;
use XHProf\Profile\CallTree;
use XHProf\Report\Order;
use XHProf\Tests\Lib\Support\MemoryRun;

require_once __DIR__ . '/Support/MemoryRun.php';

/** Which job of a worker keeps memory: each mark is the end of a span, whose job has a name. */
final class JobsReportTest extends TestCase
{
    /**
     * @param list<array{list<string>, string, int, int, int}> $rows
     * @param array<string, mixed> $more replaces members of the saved memory
     */
    private static function memory(int $marks, array $rows, array $more): MemoryProfile
    {
        $data = MemoryRun::data($rows, $marks, $more);

        return MemoryProfile::fromArray($data['memory'], CallTree::fromArray($data['tree']));
    }

    /** 40 spans: each second one imports and leaves 2000 bytes; the others fill a cache with the first ten, 500 bytes each. */
    private static function worker(): MemoryProfile
    {
        $rows = $job = $size = [];
        $heap = 1_000_000;
        for ($mark = 1; $mark <= 40; $mark++) {
            $imports = $mark % 2 === 0;
            $bytes = $imports ? 2000 : ($mark < 20 ? 5000 : 0);
            $rows[] = $bytes > 0 ? [['run', $imports ? 'import' : 'cache'], 'string', $mark - 1, 1, $bytes] : null;
            $heap += $bytes;
            $job[] = $imports ? 1 : 0;
            $size[] = $heap;
        }
        $rows[] = [['run', 'after'], 'string', 40, 1, 77];

        return self::memory(40, array_values(array_filter($rows)), [
            'jobs' => ['read', 'import orders'], 'at_marks' => ['job' => $job, 'size' => $size],
        ]);
    }

    public function testTheJobThatGrowsIsFirst(): void
    {
        $table = (new JobsReport(self::worker(), MarkRange::choose(40)))->table();
        self::assertNotNull($table);
        self::assertSame([
            ['import orders', 20, 40_000, 40_000, 'grows', [2000, 2000, 2000, 2000, 2000]],
            // The first span is before mark 1.
            ['read', 19, 45_000, 45_000, 'stopped', [5000, 5000, 2500, 0, 0]],
        ], array_map(static fn (array $row): array => array_values($row), $table->rows));
        $perSpan = array_map(static fn (array $row): mixed => $table->column('per_span')?->of($row), $table->rows);
        self::assertSame([2000, 2368], $perSpan);
    }

    public function testARangeOfMarksHasItsSpansOnly(): void
    {
        $table = (new JobsReport(self::worker(), MarkRange::choose(40, 30, 36)))->table();
        self::assertSame([['import orders', 3, 6000, 6000], ['read', 3, 0, 0]], array_map(
            static fn (array $row): array => array_slice(array_values($row), 0, 4),
            $table->rows ?? [],
        ));
        // What comes after the last mark is no span's, and before the first one the heap is not known.
        $table = (new JobsReport(self::worker(), MarkRange::choose(40, 0, 41)))->table();
        self::assertSame([[20, 40_000, 40_000], [20, 50_000, 45_000]], array_map(
            static fn (array $row): array => array_slice(array_values($row), 1, 3),
            $table->rows ?? [],
        ));
    }

    public function testTheReportHasThemWhereJobsEndWithMarks(): void
    {
        $report = (new LiveReport(self::worker(), 'path', MarkRange::choose(40)))->report(new Order('live'), 20);
        self::assertSame(['jobs', 'rows'], array_map(static fn ($table): string => $table->key, $report->tables));
        self::assertStringContainsString('Trend: a leak grows until the last spans', implode("\n", $report->notes));
        self::assertNull((new LiveReport(self::worker(), 'path'))->jobs(), 'all of the memory is not between marks');
        $plain = self::memory(4, MemoryRun::worker(), []);
        $report = (new LiveReport($plain, 'path', MarkRange::choose(4)))->report(new Order('live'), 20);
        self::assertSame(['rows'], array_map(static fn ($table): string => $table->key, $report->tables));
        self::assertStringNotContainsString('Trend', implode("\n", $report->notes));
    }

    public function testASpanMayHaveAnyName(): void
    {
        $memory = self::memory(4, MemoryRun::worker(), [
            'jobs' => ['', '42', "a\nb"], 'at_marks' => ['job' => [0, 1, 2, -1], 'size' => [1, 2, 3, 4]],
        ]);
        $table = (new JobsReport($memory, MarkRange::choose(4, 0, 5)))->table();
        self::assertEqualsCanonicalizing(['', '42', "a\nb"], array_column($table->rows ?? [], 'job'));
    }

    public function testDamagedColumnsAreRefused(): void
    {
        $cases = [
            'no names' => ['at_marks' => ['job' => [0], 'size' => [1]]],
            'a name that is no text' => ['jobs' => [1], 'at_marks' => ['job' => [0], 'size' => [1]]],
            'no sizes' => ['jobs' => ['a'], 'at_marks' => ['job' => [0]]],
            'another length' => ['jobs' => ['a'], 'at_marks' => ['job' => [0, 0], 'size' => [1]]],
            'more than marks' => ['jobs' => ['a'], 'at_marks' => ['job' => [0, 0, 0, 0, 0], 'size' => [1, 1, 1, 1, 1]]],
            'no such name' => ['jobs' => ['a'], 'at_marks' => ['job' => [1], 'size' => [1]]],
            'below none' => ['jobs' => ['a'], 'at_marks' => ['job' => [-2], 'size' => [1]]],
            'negative' => ['jobs' => ['a'], 'at_marks' => ['job' => [0], 'size' => [-1]]],
        ];
        foreach ($cases as $name => $more) {
            try {
                self::memory(4, MemoryRun::worker(), $more);
                self::fail($name);
            } catch (InvalidProfile $e) {
                self::assertNotSame('', $e->getMessage(), $name);
            }
        }
    }
}
