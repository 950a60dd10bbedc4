<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Import\ImportedRun;
use XHProf\Import\InputFile;
use XHProf\Import\Readers;
use XHProf\Profile\CallTree;
use XHProf\Profile\TimeRange;
use XHProf\Profile\Timeline;
use XHProf\Profile\TimelinePart;
use XHProf\Run\ChangedRun;
use XHProf\Run\PartOfRun;
use XHProf\Run\Run;
use XHProf\Run\RunFile;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\ExportRuns;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/ExportRuns.php';
require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** Runs that have the times of their calls. */
final class TimelineTest extends TestCase
{
    use TemporaryFolder;

    private const TREE = [
        'n' => 4, 'names' => ['main()', 'a', 'b', 'job'], 'fn' => [0, 1, 2, 3], 'depth' => [0, 1, 2, 1], 'ct' => [1, 2, 3, 1],
        'self' => ['wt' => [10000, 20500, 30000, 40000]],
    ];

    /** A call of a with b in it, job in a fiber, a again. */
    private const TIMELINE = [
        'duration' => 100500, 'asked_threshold' => 5000, 'threshold' => 5000, 'folded' => 7,
        't' => [10000, 20000, 45000, 70000], 'd' => [30000, 10500, 15000, 20000], 'node' => [1, 2, 3, 1], 'fiber' => [0, 0, 1, 0],
        'memory' => [4096, 5000, 6000, 4200], 'fibers' => ['t' => [0], 'd' => [45000], 'fiber' => [0]],
        'gc' => ['t' => [12000], 'd' => [1500], 'freed' => [7]], 'alloc_marks' => ['t' => [5000], 'd' => [0], 'mark' => [1]],
        'spans' => ['t' => [20000], 'd' => [40000], 'name' => [3]],
    ];

    /** @param array<string, mixed> $timeline */
    private static function timeline(array $timeline = self::TIMELINE): Timeline
    {
        return Timeline::fromArray($timeline, CallTree::fromArray(self::TREE));
    }

    private function savedRun(): Run
    {
        $store = new RunFolder($this->folder);
        $tree = CallTree::fromArray(self::TREE);
        $id = $store->save($tree->toEdges(), 'shop', 'a1', [], $tree);
        RunFiles::put($this->folder, $id, ['timeline' => self::TIMELINE]);

        return $store->open($id);
    }

    /** @return iterable<string, array{array<string, mixed>, int, int, array<string, array{int, int}>}> as in tests/js/timeline.test.mjs */
    public static function ranges(): iterable
    {
        $plain = ['duration' => 100, 'threshold' => 5, 't' => [10, 20, 50, 70], 'd' => [30, 10, 10, 20], 'node' => [1, 2, 3, 1]];
        $all = ['0 main()' => [40, 1], '1 a' => [40, 2], '2 b' => [10, 1], '1 job' => [10, 1]];
        yield 'all' => [$plain, 0, 100, $all];
        yield 'more than all' => [$plain, 0, 500, $all];
        yield 'parts' => [$plain, 25, 55, ['0 main()' => [10, 1], '1 a' => [10, 1], '2 b' => [5, 1], '1 job' => [5, 1]]];
        yield 'no call' => [$plain, 92, 96, ['0 main()' => [4, 1]]];
        $reaching = ['d' => [30, 60, 10, 500]] + $plain;
        $cut = ['0 main()' => [10, 1], '1 a' => [0, 1], '2 b' => [10, 1], '1 job' => [10, 1]];
        yield 'a call that reaches out of its caller' => [$reaching, 30, 60, $cut];
        $short = ['d' => [30, 0, 10, 20]] + $plain;
        yield 'a call of no time' => [$short, 15, 30, ['0 main()' => [0, 1], '1 a' => [15, 1], '2 b' => [0, 1]]];
        $resumed = ['t' => [10, 20, 30, 40, 50, 60], 'd' => [9, 9, 9, 9, 9, 9], 'node' => [3, 3, 1, 1, 1, 3]] + $plain;
        yield 'generators' => [$resumed, 0, 100, ['0 main()' => [46, 1], '1 a' => [27, 2], '1 job' => [27, 1]]];
        yield 'a part of generators' => [$resumed, 20, 35, ['0 main()' => [1, 1], '1 a' => [5, 1], '1 job' => [9, 1]]];
        $fibers = [
            'duration' => 100, 't' => [0, 10, 20, 40], 'd' => [90, 70, 10, 20], 'node' => [1, 3, 2, 2], 'fiber' => [0, 1, 1, 0],
            'fibers' => ['t' => [0, 10, 35, 70], 'd' => [10, 25, 35, 30], 'fiber' => [0, 1, 0, 1]],
        ];
        yield 'fibers' => [$fibers, 0, 100, ['0 main()' => [20, 1], '1 a' => [25, 1], '2 b' => [30, 2], '1 job' => [25, 1]]];
        yield 'a part of fibers' => [$fibers, 60, 80, ['0 main()' => [0, 1], '1 a' => [10, 1], '1 job' => [10, 1]]];
    }

    /**
     * @param array<string, mixed>           $timeline
     * @param array<string, array{int, int}> $expected
     */
    #[DataProvider('ranges')]
    public function testARangeHasThePartsOfTheCallsInIt(array $timeline, int $from, int $to, array $expected): void
    {
        $tree = TimelinePart::callTree(self::timeline($timeline), new TimeRange($from, $to));
        $found = [];
        foreach ($tree->exclusive('wt') as $node => $time) {
            $found["{$tree->depth[$node]} {$tree->names[$tree->fn[$node]]}"] = [$time, $tree->ct[$node]];
        }
        self::assertSame($expected, $found);
    }

    public function testCallsThatFibersHaveMovedAreNoMoreThanTheRunHas(): void
    {
        $tree = CallTree::fromArray(['fn' => [0, 1, 2, 1], 'ct' => [1, 2, 3, 0]] + self::TREE);
        $calls = ['duration' => 100, 't' => [10, 20, 50, 70], 'd' => [30, 10, 10, 20], 'node' => [3, 2, 3, 3]];
        $moved = Timeline::fromArray($calls, $tree);
        self::assertSame([1, 0, 1, 2], TimelinePart::callTree($moved, new TimeRange(0, 100))->ct);
        self::assertSame([1, 1], TimelinePart::callTree($moved, new TimeRange(60, 75))->ct);
    }

    public function testHowLongARunLastsIsReadFromTheHeadOfItsFile(): void
    {
        self::assertSame(0, Timeline::span(['duration' => 1])->threshold);
        $this->savedRun();
        $store = new RunFolder($this->folder);
        $id = RunId::fromStrings('a1', 'shop');
        RunFiles::put($this->folder, $id, ['timeline' => ['t' => [-1]] + self::TIMELINE]);
        $span = $store->open($id)->span();
        self::assertSame([100500, 5000], [$span?->duration, $span?->threshold]);
        foreach ([null, -1, 'x', PHP_INT_MAX] as $duration) {
            RunFiles::put($this->folder, $id, ['timeline' => ['duration' => $duration] + self::TIMELINE]);
            try {
                (new RunFolder($this->folder))->open($id)->span();
                self::fail('a duration of ' . json_encode($duration));
            } catch (DamagedRun $e) {
                self::assertStringContainsString('the duration of the timeline', $e->getMessage());
            }
        }
        RunFiles::put($this->folder, $id, ['timeline' => self::TIMELINE]);
        $part = (new PartOfRun($store->open($id), new TimeRange(10000, 40000)))->profile();
        self::assertSame(['a, b, main()', 30], [implode(', ', $part->symbols()), $part->totals()['wt']]);
    }

    public function testEventsOfAFiberNest(): void
    {
        self::assertSame([
            [true, 0, 10000], [true, 1, 20000], [false, 1, 30500], [false, 0, 40000], [true, 3, 70000], [false, 3, 90000],
        ], iterator_to_array(self::timeline()->events(), false));
        self::assertSame([[true, 2, 45000], [false, 2, 60000]], iterator_to_array(self::timeline()->events(1), false));
        self::assertSame([0, 1], self::timeline()->fibers());
        $wrong = self::timeline(['d' => [30000, 90000, 15000, 90000]] + self::TIMELINE);
        self::assertSame([
            [true, 0, 10000], [true, 1, 20000], [false, 1, 40000], [false, 0, 40000], [true, 3, 70000], [false, 3, 100500],
        ], iterator_to_array($wrong->events(), false), 'calls end with their callers, whatever the file says');
    }

    /** @return array<string, array{array<string, mixed>}> */
    public static function damaged(): array
    {
        return [
            'order' => [['t' => [10000, 9000, 45000, 70000]]], 'length' => [['d' => [1]]], 'node' => [['node' => [1, 2, 3, 4]]],
            'negative' => [['d' => [-1, 1, 1, 1]]], 'text' => [['t' => ['1', 2, 3, 4]]], 'duration' => [['duration' => null]],
            'fiber' => [['fiber' => [0]]], 'gc' => [['gc' => ['t' => [1], 'd' => [], 'freed' => [1]]]],
            'name of a span' => [['spans' => ['t' => [1], 'd' => [1], 'name' => [4]]]],
        ];
    }

    /** @param array<string, mixed> $change */
    #[DataProvider('damaged')]
    public function testDamagedTimelinesAreRefused(array $change): void
    {
        $this->expectException(InvalidProfile::class);
        self::timeline($change + self::TIMELINE);
    }

    public function testTheStoreReadsATimelineAndItsVersionKnowsIt(): void
    {
        $run = $this->savedRun();
        self::assertSame([10000, 20000, 45000, 70000], $run->timeline()?->t);
        $store = new RunFolder($this->folder);
        $id = RunId::fromStrings('a1', 'shop');
        self::assertTrue($store->open($id)->has(Run::TIMELINE));
        $version = $store->open($id)->version();
        RunFiles::put($this->folder, $id, ['timeline' => ['lost' => 1]]);
        self::assertNotSame($version, $store->open($id)->version());
        $this->expectException(DamagedRun::class);
        $store->open($id)->timeline();
    }

    public function testARunIsDeletedAndReplacedWithItsTimeline(): void
    {
        $this->savedRun();
        $store = new RunFolder($this->folder);
        $store->save(['main()' => ['ct' => 1, 'wt' => 1]], 'shop', 'a1');
        self::assertNull(RunFiles::document($this->folder, 'a1.shop', 'timeline'));
        $this->savedRun();
        $store->delete(RunId::fromStrings('a1', 'shop'));
        self::assertSame([], glob("$this->folder/a1.*"));
    }

    public function testItIsWrittenAsItWasRead(): void
    {
        self::assertSame(self::TIMELINE, array_replace(self::TIMELINE, self::timeline()->toArray()));
        self::assertEqualsCanonicalizing(array_keys(self::TIMELINE), array_keys(self::timeline()->toArray()));
    }

    public function testAnHtmlFileHasTheTimeline(): void
    {
        $run = $this->savedRun();
        $html = ExportRuns::written('html', $run);
        self::assertStringContainsString('data-tab="timeline"', $html);
        $pattern = '~<script [^>]*data-answer="[^"]*get=columns[^"]*"(?<packed> data-packed)?>(?<bytes>[^<]*)</script>~';
        self::assertSame(1, preg_match_all($pattern, $html, $match));
        $bytes = (string) base64_decode($match['bytes'][0] ?? '', true);
        $bytes = ($match['packed'][0] ?? '') === '' ? $bytes : (string) gzdecode($bytes);
        $columns = RunFile::fromBytes($bytes, 'columns');
        self::assertEquals(self::TIMELINE, $columns->document('timeline'));
        self::assertFalse($columns->has('samples'));
        // Nodes of a smaller tree have other numbers.
        $few = ChangedRun::above($run, 0.3);
        self::assertNotNull($few);
        self::assertStringNotContainsString('data-tab="timeline"', ExportRuns::written('html', $few));
    }

    public function testChromeEventsOfATimelineHavePlaces(): void
    {
        $places = ['files' => ['/app/a.php'], 'file' => [-1, 0, -1, 0], 'line' => [0, 12, 0, 30], 'last_line' => [0, 14, 0, 31]];
        $tree = CallTree::fromArray(self::TREE + $places);
        $store = new RunFolder($this->folder);
        $id = $store->save($tree->toEdges(), 'shop', 'a1', [], $tree);
        RunFiles::put($this->folder, $id, ['timeline' => self::TIMELINE]);
        $file = json_decode(ExportRuns::written('chrome', $store->open($id)), true, 16, JSON_THROW_ON_ERROR);
        $found = [];
        foreach ($file['traceEvents'] as $event) {
            if (in_array($event['ph'], ['B', 'E'], true)) {
                $found[$event['name']][] = $event['args']['place'] ?? null;
            }
        }
        $a = '/app/a.php:12';
        $job = '/app/a.php:30';
        self::assertSame(['main()' => [null, null], 'a' => [$a, $a, $a, $a], 'b' => [null, null], 'job' => [$job, $job]], $found);
    }

    public function testAChromeTraceHasTheTrueTimes(): void
    {
        $file = json_decode(ExportRuns::written('chrome', $this->savedRun()), true, 16, JSON_THROW_ON_ERROR);
        self::assertStringStartsWith('a timeline: calls', $file['metadata']['layout']);
        $events = array_values(array_filter($file['traceEvents'], static fn (array $event): bool => $event['ph'] !== 'M'));
        $short = array_map(static fn (array $event): array => [$event['ph'], $event['tid'], $event['name'], $event['ts']], $events);
        self::assertEquals([
            ['B', 1, 'main()', 0], ['B', 1, 'a', 10], ['B', 1, 'b', 20], ['E', 1, 'b', 30.5], ['E', 1, 'a', 40], ['B', 1, 'a', 70],
            ['E', 1, 'a', 90], ['E', 1, 'main()', 100.5], ['B', 2, 'job', 45], ['E', 2, 'job', 60],
        ], array_slice($short, 0, 10));
        self::assertEquals([40, 30.5, 60, 90], array_column(array_slice($short, 10, 4), 3));
        self::assertSame(['C', 1, 'memory'], array_slice($short[10], 0, 3));
        self::assertEquals([
            ['X', 3, 'garbage collection, 7 freed', 12], ['i', 3, 'mark 1', 5], ['X', 3, 'job', 20],
        ], array_slice($short, 14));
    }

    public function testSpeedscopeHasTheOrderOfTimeFirstAndIsReadAgainWithoutIt(): void
    {
        $run = $this->savedRun();
        $json = ExportRuns::written('speedscope', $run);
        $file = json_decode($json, true, 16, JSON_THROW_ON_ERROR);
        $names = array_column($file['profiles'], 'name');
        self::assertSame(['In the order of time', 'In the order of time, fiber 1'], array_slice($names, 0, 2));
        $events = array_map(array_values(...), $file['profiles'][0]['events']);
        self::assertSame([
            ['O', 0, 0], ['O', 1, 10000], ['O', 2, 20000], ['C', 2, 30500], ['C', 1, 40000], ['O', 1, 70000], ['C', 1, 90000],
            ['C', 0, 100500],
        ], $events);
        self::assertSame([['O', 3, 45000], ['C', 3, 60000]], array_map(array_values(...), $file['profiles'][1]['events']));
        file_put_contents("$this->folder/x.speedscope.json", $json);
        $input = InputFile::at("$this->folder/x.speedscope.json");
        $read = iterator_to_array(Readers::for($input)->read($input));
        self::assertCount(1, $read);
        $imported = array_values($read)[0];
        self::assertInstanceOf(ImportedRun::class, $imported);
        self::assertEquals($run->tree()?->self['wt'], $imported->tree?->self['wt']);
    }
}
