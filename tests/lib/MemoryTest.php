<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\RunInSeparateProcess;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\DamagedRun;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\UnknownMark;
use XHProf\Exception\UnknownMetric;
use XHProf\Memory\MarkRange;
use XHProf\Memory\MemoryProfile;
use XHProf\Memory\MemoryReport;
use XHProf\Profile\CallTree;
use XHProf\Run\Run;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\MemoryRun;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\Runs;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/MemoryRun.php';
require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/Runs.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/**
 * Live memory: reads the extension's files, and sums by call path, function, type and mark.
 */
final class MemoryTest extends TestCase
{
    use TemporaryFolder;

    private const LIVE = 1048576 + 8800 + 512000 + 3 * 51200 + 5248 + 96 + 64;

    private static function worker(?MarkRange $range = null): MemoryReport
    {
        $data = MemoryRun::data(MemoryRun::worker(), 4);
        $memory = MemoryProfile::fromArray($data['memory'], CallTree::fromArray($data['tree']));

        return new MemoryReport($memory, $range);
    }

    /**
     * @param value-of<MemoryReport::BY> $by
     * @return array<string, int|null> name => figure, in order
     */
    private static function values(MemoryReport $report, string $by, string $column): array
    {
        $figures = [];
        foreach ($report->table($by)->sorted($column) as $number) {
            $figures[$report->name($by, $number)] = $report->table($by)->value($number, $column);
        }

        return $figures;
    }

    public function testAllocationsAreNoMetricsOfTheTree(): void
    {
        $tree = CallTree::fromArray(MemoryRun::data(MemoryRun::worker())['tree']);
        self::assertSame(['wt'], $tree->metrics());
        self::assertSame(['ct', 'wt'], array_keys($tree->toEdges()->edges()['main()']));
        self::assertCount(6, $tree->allocations);
        self::assertCount($tree->count(), $tree->allocations['live_bytes']);
    }

    public function testPaths(): void
    {
        $report = self::worker();
        self::assertSame([self::LIVE, 181], [$report->liveBytes, $report->liveBlocks]);
        $table = $report->table('path');
        $heaviest = $table->sorted('live');
        self::assertCount(6, $heaviest);
        self::assertSame(1048576, $table->value($heaviest[0], 'live'));
        self::assertSame([10485760, 9437184], [$table->value($heaviest[0], 'allocated'), $table->value($heaviest[0], 'freed')]);
        self::assertSame(
            ['Cache::load', 'Cache::warm', 'Worker::run', 'main()'],
            array_column($report->path($heaviest[0])->frames, 'name'),
        );
        // str_repeat has the bytes that three jobs left
        self::assertSame([3 * 51200, 30], [$table->value($heaviest[2], 'live'), $table->value($heaviest[2], 'blocks')]);
        self::assertSame('str_repeat', $report->path($heaviest[2])->function());
        self::assertSame(array_reverse($heaviest), $table->sorted('live', false));
    }

    public function testTheLevelsOfARecursionAreOnePath(): void
    {
        $report = self::worker();
        $paths = [];
        foreach ($report->table('path')->sorted('live') as $node) {
            $paths[$node] = $report->path($node)->function();
        }
        $walk = (int) array_search('walk', $paths, true);
        self::assertSame(['walk' => 1], array_intersect_key(array_count_values($paths), ['walk' => 1]));
        $figure = static fn (string $column): ?int => $report->table('path')->value($walk, $column);
        self::assertSame([160, 5, 1600], [$figure('live'), $figure('blocks'), $figure('allocated')]);
        $path = $report->path($walk);
        self::assertSame([true, false, false, false], array_column($path->frames, 'recursive'));
        self::assertSame(0, $path->more);
        $cut = $report->path($walk, 2);
        self::assertSame(['walk', 'Job::handle'], array_column($cut->frames, 'name'));
        self::assertSame(2, $cut->more);
    }

    public function testWhatARecursionCallsIsOnePathToo(): void
    {
        $rows = [];
        foreach (range(1, 40) as $levels) {
            $rows[] = [[...array_fill(0, $levels, 'down'), 'leaf'], 'string', 0, 1, 10];
            $rows[] = [[...array_fill(0, $levels, 'down'), 'other', 'down'], 'string', 0, 1, 1];
        }
        $data = MemoryRun::data($rows);
        $report = new MemoryReport(MemoryProfile::fromArray($data['memory'], CallTree::fromArray($data['tree'])));
        $paths = [];
        foreach ($report->table('path')->sorted('live') as $node) {
            $names = implode(' < ', array_column($report->path($node)->frames, 'name'));
            $paths[$names] = $report->table('path')->value($node, 'live');
        }
        self::assertSame(['leaf < down < main()' => 400, 'down < other < down < main()' => 40], $paths);
        self::assertSame(440, self::values($report, 'function', 'incl')['down']);
    }

    public function testFunctions(): void
    {
        $report = self::worker();
        self::assertSame([
            'Cache::load' => 1048576, 'Pool::__construct' => 512000, 'str_repeat' => 153600, 'Cache::warm' => 8800,
            'Log::write' => 5248, 'walk' => 160,
        ], self::values($report, 'function', 'live'));
        $inclusive = self::values($report, 'function', 'incl');
        self::assertSame(self::LIVE, $inclusive['main()']);
        self::assertSame(self::LIVE - 512000, $inclusive['Worker::run']);
        self::assertSame(1057376, $inclusive['Cache::warm']);
        self::assertSame(160, $inclusive['walk'], 'a recursion is counted once');
        self::assertSame(1600, self::values($report, 'function', 'allocated')['walk']);
        self::assertSame(45, self::values($report, 'function', 'freed_blocks')['walk']);
    }

    public function testTypes(): void
    {
        $report = self::worker();
        self::assertSame([
            'array' => 1053824, 'object:App\Pool' => 512000, 'string' => 153600, 'object:App\Cache\Item' => 8800,
            'reference' => 160,
        ], self::values($report, 'type', 'live'));
        $array = $report->table('type')->sorted('live')[0];
        $details = $report->details('type', [$array])[$array];
        self::assertSame('Cache::load', $report->path((int) $details['node'])->function());
        $this->expectException(UnknownMetric::class);
        $report->table('type')->sorted('allocated');
    }

    public function testBetweenMarks(): void
    {
        $range = MarkRange::choose(4);
        self::assertSame([1, 4, 3], [$range->after, $range->before, $range->intervals()]);
        $report = self::worker($range);
        self::assertSame(self::LIVE - 512000 - 64, $report->liveBytes);
        self::assertFalse($report->table('path')->has('allocated'), 'they were not counted by marks');
        $table = $report->table('path');
        $details = $report->details('path', $table->sorted('live'));
        $seen = [];
        foreach ($details as $node => $detail) {
            $seen[$report->path($node)->function()] = $detail['intervals'];
        }
        self::assertSame(['Cache::load' => 1, 'str_repeat' => 3, 'Cache::warm' => 1, 'Log::write' => 1, 'walk' => 1], $seen);
        $types = static fn (int $after, ?int $before = null): array
            => self::values(self::worker(MarkRange::choose(4, $after, $before)), 'type', 'live');
        self::assertSame(['string' => 51200, 'reference' => 96], $types(2, 3));
        self::assertSame(['reference' => 64], $types(4));
        self::assertSame(self::LIVE, self::worker(MarkRange::choose(4, 0, 5))->liveBytes);
    }

    /**
     * @return iterable<string, array{int, int|null, int|null, array{int, int}|null}>
     */
    public static function ranges(): iterable
    {
        yield 'many marks' => [10, null, null, [1, 10]];
        yield 'two marks' => [2, null, null, [1, 2]];
        yield 'one mark: to the end' => [1, null, null, [1, 2]];
        yield 'no mark: everything' => [0, null, null, [0, 1]];
        yield 'after' => [10, 4, null, [4, 10]];
        yield 'after the last: to the end' => [10, 10, null, [10, 11]];
        yield 'before' => [10, null, 4, [1, 4]];
        yield 'before the first' => [10, null, 1, [0, 1]];
        yield 'both' => [10, 2, 11, [2, 11]];
        yield 'after too large' => [10, 11, null, null];
        yield 'before too large' => [10, null, 12, null];
        yield 'wrong order' => [10, 5, 5, null];
        yield 'negative' => [10, -1, 5, null];
        yield 'none made' => [0, 1, 2, null];
    }

    /**
     * @param array{int, int}|null $expected null: refused
     */
    #[DataProvider('ranges')]
    public function testRanges(int $marks, ?int $after, ?int $before, ?array $expected): void
    {
        if ($expected === null) {
            $this->expectException(UnknownMark::class);
        }
        $range = MarkRange::choose($marks, $after, $before);
        self::assertSame($expected, [$range->after, $range->before]);
        self::assertSame($marks < 2 && $after === null, $range->advice() !== null);
    }

    public function testWordsOfARange(): void
    {
        self::assertSame('after mark 1 and before mark 9', MarkRange::choose(9)->words());
        self::assertSame('after mark 9', MarkRange::choose(9, 9)->words());
        self::assertSame('before mark 1', MarkRange::choose(9, 0, 1)->words());
        self::assertSame('since the tracking began', MarkRange::choose(0)->words());
        self::assertStringContainsString('xhprof_alloc_mark()', (string) MarkRange::choose(1)->advice());
    }

    public function testOtherThreadsAreARowWithoutAPath(): void
    {
        $data = MemoryRun::data(MemoryRun::worker(), 4);
        foreach (['node' => -2, 'type' => 1, 'mark' => 0, 'blocks' => 7, 'bytes' => 9000000] as $column => $value) {
            $data['memory']['rows'][$column][] = $value;
        }
        $report = new MemoryReport(MemoryProfile::fromArray($data['memory'], CallTree::fromArray($data['tree'])));
        foreach (['path', 'function'] as $by) {
            self::assertSame('(other threads)', $report->name($by, $report->table($by)->sorted('live')[0]));
            self::assertNull($report->table($by)->value(-2, 'allocated'));
        }
        self::assertSame('(other threads)', $report->path(-2)->function());
        self::assertSame(9000000, $report->table('function')->value(-2, 'incl'));
        self::assertSame(self::LIVE + 9000000, $report->liveBytes);
    }

    public function testTheStoreKeepsItBesideTheRun(): void
    {
        $store = new RunFolder($this->folder);
        $run = MemoryRun::save($store, 'x', 'a', MemoryRun::worker(), 4);
        self::assertTrue($store->open($run)->has(Run::MEMORY));
        $memory = $store->open($run)->memory();
        self::assertSame([4, MemoryRun::BEFORE, 0], [$memory?->marks, $memory?->before(), $memory?->sampleBytes]);
        self::assertSame(3145728, $memory?->allocators['malloc']['size']);
        self::assertCount(1, $store->list());
        // The old run's live memory must not count as the new one's.
        $store->save(Runs::small(), 'x', 'a');
        self::assertFalse($store->open($run)->has(Run::MEMORY));
        self::assertNull($store->open($run)->memory());
        self::assertNull(RunFiles::document($this->folder, $run, 'memory'));
    }

    public function testARunWithoutItsTreeIsDamaged(): void
    {
        $store = new RunFolder($this->folder);
        $run = MemoryRun::save($store, 'x', 'a', MemoryRun::worker());
        RunFiles::remove($this->folder, $run, 'tree');
        $this->expectException(DamagedRun::class);
        $file = RunFiles::path($this->folder, $run);
        $this->expectExceptionMessage("$file: the call tree of its call paths is missing");
        $store->open($run)->memory();
    }

    /**
     * @return iterable<string, array{string|array<string, mixed>, string}> JSON, or replacements in a good profile; the reason
     */
    public static function damage(): iterable
    {
        $columns = ['node' => [0], 'type' => [0], 'mark' => [0], 'blocks' => [1], 'bytes' => [9]];
        $rows = static fn (array $other): array => ['rows' => array_replace($columns, $other)];
        yield 'a list' => ['[1]', ''];
        yield 'deep' => [str_repeat('[', 500) . str_repeat(']', 500), ''];
        yield 'no types' => [['types' => null], 'no list of names'];
        yield 'types as an object' => [['types' => ['a' => 'b']], 'no list of names'];
        yield 'a type that is no text' => [['types' => ['x', 7]], 'not a text'];
        yield 'no rows' => [['rows' => 5], '"node" is missing'];
        yield 'columns of different lengths' => [$rows(['bytes' => [1, 2]]), '"bytes" is missing or of the wrong length'];
        yield 'a column as an object' => [$rows(['mark' => ['x' => 1]]), '"mark" is missing'];
        yield 'text in a column' => [$rows(['bytes' => ['9']]), '"bytes" holds values that are not integers'];
        yield 'a fraction' => [$rows(['bytes' => [1.5]]), '"bytes" holds values that are not integers'];
        yield 'null' => [$rows(['blocks' => [null]]), '"blocks" holds values that are not integers'];
        yield 'negative bytes' => [$rows(['bytes' => [-1]]), '"bytes" holds values that are not integers'];
        yield 'an unknown pseudo node' => [$rows(['node' => [-4]]), '"node" holds values that are not integers'];
        yield 'a node of no tree' => [$rows(['node' => [11]]), '"node" holds a number out of range'];
        yield 'an unknown type' => [$rows(['type' => [99]]), '"type" holds a number out of range'];
        yield 'a mark that was not made' => [$rows(['mark' => [1]]), '"mark" holds a number out of range'];
        yield 'bytes beyond all sums' => [$rows(['bytes' => [PHP_INT_MAX]]), '"bytes" are too large'];
        yield 'marks as text' => [['marks' => '4'], 'number of marks'];
        yield 'more marks than can be' => [['marks' => 1 << 40], 'number of marks'];
        yield 'negative sampling' => [['sample_bytes' => -1], 'distance of samples'];
        yield 'dropped as text' => [['dropped' => ['blocks' => 'many']], 'dropped blocks'];
        yield 'no allocators' => [['allocators' => null], 'no allocators'];
        yield 'an allocator as a number' => [['allocators' => ['zend_mm' => 5]], 'no figures'];
        yield 'an allocator without a size' => [['allocators' => ['zend_mm' => []]], 'no size'];
        yield 'an allocator without a name' => [['allocators' => [['size' => 1]]], 'no name'];
        yield 'a figure as text' => [['allocators' => ['zend_mm' => ['size' => 'x']]], '"size" of an allocator'];
        yield 'too many allocators' => [['allocators' => array_fill(0, 100, ['size' => 1])], 'no allocators'];
    }

    /**
     * @param string|array<string, mixed> $content the file, or replacements in a good one
     */
    #[DataProvider('damage')]
    public function testDamageIsAClearErrorThatNamesTheFile(string|array $content, string $why): void
    {
        $store = new RunFolder($this->folder);
        $run = MemoryRun::save($store, 'x', 'bad', [[['f'], 'string', 0, 1, 8]], 0, [], is_array($content) ? $content : []);
        $file = RunFiles::path($this->folder, $run);
        if (is_string($content)) {
            RunFiles::damage($this->folder, $run, 'memory', $content);
        }
        try {
            $store->open($run)->memory();
            self::fail('loaded');
        } catch (DamagedRun $e) {
            self::assertStringStartsWith("$file: ", $e->getMessage());
            self::assertStringContainsString($why, $e->getMessage());
            self::assertStringNotContainsString("\n", $e->getMessage());
        }
        self::assertSame(['wt'], $store->open($run)->profile()->metrics(), 'the run itself can be read');
        self::assertNull($store->list()[0]->error);
    }

    public function testALinkOutOfTheFolderIsNotFollowed(): void
    {
        $store = new RunFolder($this->folder);
        $run = MemoryRun::save($store, 'x', 'a', MemoryRun::worker());
        $outside = $this->folder . '-outside.json';
        $file = RunFiles::path($this->folder, $run);
        rename($file, $outside);
        symlink($outside, $file);
        self::assertFalse($store->has($run));
        unlink($outside);
        $this->expectException(RunNotFound::class);
        $store->open($run);
    }

    public function testNamesOfHostileBytesAreKept(): void
    {
        $rows = [[[Runs::NASTY, '<script>'], 'object:' . Runs::NASTY, 0, 1, 64]];
        $store = new RunFolder($this->folder);
        $memory = $store->open(MemoryRun::save($store, 'x', 'a', $rows))->memory();
        self::assertNotNull($memory);
        $report = new MemoryReport($memory);
        $node = $report->table('path')->sorted('live')[0];
        self::assertSame('<script>', $report->path($node)->function());
        self::assertStringContainsString('<img src=x', $report->path($node)->frames[1]['name']);
        self::assertSame(1, preg_match('//u', $report->name('type', 5)), 'JSON has no other bytes');
    }

    public function testTwoFunctionsOfOneNameAreOne(): void
    {
        $tree = [
            'names' => ['main()', 'f', 'f'], 'fn' => [0, 1, 2, 1], 'depth' => [0, 1, 2, 1], 'ct' => [1, 1, 1, 1],
            'self' => ['wt' => [1, 1, 1, 1]],
        ];
        $rows = ['node' => [1, 2, 3], 'type' => [0, 0, 0], 'mark' => [0, 0, 0], 'blocks' => [1, 1, 1], 'bytes' => [10, 20, 30]];
        $memory = ['allocators' => ['zend_mm' => ['size' => 60]], 'types' => ['string'], 'rows' => $rows];
        $report = new MemoryReport(MemoryProfile::fromArray($memory, CallTree::fromArray($tree)));
        self::assertSame(['f' => 60], self::values($report, 'function', 'live'));
        self::assertSame(['main()' => 60, 'f' => 60], self::values($report, 'function', 'incl'));
        self::assertFalse($report->table('path')->has('allocated'), 'the tree does not have it');
    }

    /** In a process of its own: what other tests left in use in each chunk of PHP's heap counts for the limit. */
    #[RunInSeparateProcess]
    public function testAMillionRowsAndNodes(): void
    {
        $count = 1000000;
        $names = array_map(static fn (int $i): string => "Some\\Space\\Service$i::handle", range(0, 999));
        $tree = ['names' => ['main()', ...$names], 'fn' => [0], 'depth' => [0], 'ct' => [1], 'self' => ['wt' => [1]]];
        $rows = array_fill_keys(['node', 'type', 'mark', 'blocks', 'bytes'], []);
        for ($node = 1; $node < $count; $node++) {
            $tree['fn'][] = 1 + $node % 1000;
            $tree['depth'][] = 1 + ($node - 1) % 20;
            $tree['ct'][] = 1;
            $tree['self']['wt'][] = 5;
        }
        $tree['self']['allocated_bytes'] = $tree['self']['freed_bytes'] = $tree['self']['wt'];
        $memory = ['marks' => 100, 'allocators' => ['zend_mm' => ['size' => 1]], 'types' => ['(unknown)', 'string']];
        for ($row = 0; $row < $count; $row++) {
            $rows['node'][] = $row;
            $rows['type'][] = $row % 2;
            $rows['mark'][] = $row % 100;
            $rows['blocks'][] = 1;
            $rows['bytes'][] = $row % 5000;
        }
        $tree = CallTree::fromArray($tree);
        $memory = MemoryProfile::fromArray($memory + ['rows' => $rows], $tree);
        unset($rows);
        memory_reset_peak_usage();
        $before = memory_get_usage();
        foreach ([null, MarkRange::choose(100)] as $range) {
            $report = new MemoryReport($memory, $range);
            foreach (MemoryReport::BY as $by) {
                $top = array_slice($report->table($by)->sorted('live'), 0, 100);
                self::assertCount($by === 'type' ? 2 : 100, $top);
                $report->details($by, $top);
            }
            $report->path(999999);
        }
        unset($report, $top);
        self::assertLessThan(260 << 20, memory_get_peak_usage() - $before);
    }
}
