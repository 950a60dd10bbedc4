<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Profile\CallTree;
use XHProf\Profile\NodeRanges;
use XHProf\Profile\Profile;
use XHProf\Profile\TimePart;
use XHProf\Profile\TimeParts;
use XHProf\Profile\TimeRange;
use XHProf\Profile\TreeNodes;
use XHProf\Run\ChangedRun;
use XHProf\Run\MadeRun;
use XHProf\Run\MeanRun;
use XHProf\Run\PartOfRun;
use XHProf\Run\Run;
use XHProf\Run\RunMeta;
use XHProf\Run\RunTimes;
use XHProf\Store\RunFolder;
use XHProf\Store\RunQuery;
use XHProf\Tests\Golden\GoldenRuns;
use XHProf\Tests\Lib\Support\FiberRuns;
use XHProf\Tests\Lib\Support\PlantedTimes;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/../golden/GoldenRuns.php';
require_once __DIR__ . '/Support/FiberRuns.php';
require_once __DIR__ . '/Support/PlantedTimes.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** Where the time was: each case plants what a program did, in ms, and asks for its parts. */
final class TimePartsTest extends TestCase
{
    use PlantedTimes;
    use TemporaryFolder;

    /** [function, depth, own wall time, own CPU time], ms. */
    private const PLANTED = [
        'a loop' => [
            [['main()', 0, 1, 1], ['work', 1, 40, 40]],
            ['cpu' => 41],
        ],
        'a sleep' => [
            [['main()', 0, 1, 1], ['usleep', 1, 30, 0]],
            ['cpu' => 1, 'sleep' => 30],
        ],
        'queries, a request, a cache, a file and a lock' => [
            [
                ['main()', 0, 2, 2], ['PDOStatement::execute', 1, 50, 5], ['curl_exec', 1, 30, 1], ['Redis::zAdd', 1, 8, 1],
                ['fopen', 1, 3, 1], ['flock', 1, 7, 0],
            ],
            ['cpu' => 10, 'sql' => 45, 'http' => 29, 'cache' => 7, 'file' => 2, 'lock' => 7],
        ],
        'another program had the processor' => [
            [['main()', 0, 3, 1], ['work', 1, 90, 40], ['usleep', 1, 10, 0]],
            ['cpu' => 41, 'sleep' => 10, 'not_running' => 52],
        ],
        'files are compiled, and one had to be read first' => [
            [['main()', 0, 1, 1], ['load::app/a.php', 1, 9, 5], ['eval::app/a.php', 1, 2, 2], ['gc_collect_cycles', 1, 4, 3]],
            ['cpu' => 1, 'compile' => 7, 'gc' => 3, 'compile_wait' => 4, 'not_running' => 1],
        ],
        'a recursion through a function that waits' => [
            [
                ['main()', 0, 1, 1], ['visit', 1, 2, 2], ['usleep', 2, 5, 0], ['visit', 2, 2, 2], ['usleep', 3, 5, 0],
                ['visit', 3, 4, 1],
            ],
            ['cpu' => 6, 'sleep' => 10, 'not_running' => 3],
        ],
        'a callback in a function that waits, which calls itself' => [
            [
                ['main()', 0, 1, 1], ['curl_exec', 1, 20, 1], ['App\write', 2, 6, 4], ['curl_exec', 3, 10, 0], ['md5', 3, 1, 1],
            ],
            ['cpu' => 7, 'http' => 29, 'not_running' => 2],
        ],
        'clocks that are read one after the other' => [
            [['main()', 0, 10, 11], ['work', 1, 20, 18], ['usleep', 1, 1, 2]],
            ['cpu' => 31],
        ],
        'nothing' => [[['main()', 0, 0, 0]], []],
    ];

    /** @return iterable<string, array{list<array{string, int, int, int}>, array<string, int>}> */
    public static function planted(): iterable
    {
        yield from self::PLANTED;
    }

    /**
     * @param list<array{string, int, int, int}> $nodes
     * @param array<string, int> $parts
     */
    #[DataProvider('planted')]
    public function testPartsAreWhatWasPlanted(array $nodes, array $parts): void
    {
        $tree = self::tree($nodes);
        foreach (
            [
            'in memory' => self::made($tree),
            'in a file' => $this->saved($tree),
            'edges only' => new MadeRun(null, 'edges', RunMeta::fromArray([]), null, $tree->toEdges()),
            'renamed' => ChangedRun::renamed(self::made($tree), ['work' => 'other', 'visit' => 'see']),
            'the mean of three' => new MeanRun(array_fill(0, 3, fn (): Run => self::made($tree))),
            'a weighted mean of saved ones' => new MeanRun(array_fill(0, 2, fn (): Run => $this->saved($tree)), [5, 2]),
            ] as $kind => $run
        ) {
            $times = $run->times()->whole();
            self::assertNotNull($times, $kind);
            self::assertSame($parts, self::ms($times), $kind);
            self::assertSame((int) round(1000 * $run->total('wt')), $times->total(), $kind);
            self::assertSame([], $times->notes, $kind);
        }
    }

    public function testSamplesSaySo(): void
    {
        $tree = self::tree(self::PLANTED['another program had the processor'][0]);
        $run = self::made($tree, RunMeta::ofSamples('wall', 103, 1000));
        $times = $run->times()->whole();

        self::assertSame(['cpu' => 41, 'sleep' => 10, 'not_running' => 52], self::ms($times));
        self::assertSame('samples', $times?->toArray()['by']);
    }

    /** Samples of wall time alone: what they met waiting waited. */
    public function testSamplesOfWallTimeKnowWhatWaited(): void
    {
        $tree = CallTree::fromArray([
            'names' => ['main()', 'work', 'usleep', 'load::a.php', 'render', 'fopen'],
            'fn' => [0, 1, 2, 3, 4, 5],
            'depth' => [0, 1, 1, 1, 1, 1],
            'ct' => [1, 30, 20, 5, 10, 9],
            'self' => ['wt' => array_map(static fn (int $ms): int => $ms * 1_000_000, [1, 30, 20, 5, 10, 9])],
        ]);
        $meta = RunMeta::ofSamples('wall', 75, 1000);
        $run = $this->saved($tree, $meta, [4 => ['output' => 4, 'gc' => 3], 5 => ['http' => 9], 2 => ['sleep' => 20]]);
        $times = $run->times()->whole();

        $expected = ['compile' => 5, 'gc' => 3, 'http' => 9, 'sleep' => 20, 'output' => 4, 'unknown' => 34];
        self::assertSame($expected, self::ms($times));
        self::assertSame([RunTimes::SAMPLES], $times?->notes);
        self::assertSame(['usleep', 'fopen', 'render'], array_keys($run->times()->waiting()));
        self::assertSame(['gc' => 3, 'output' => 4, 'unknown' => 3], self::ms($run->times()->ofFunction('render')));
        self::assertSame(['output' => 0.4, 'gc' => 0.3, 'unknown' => 0.3], $run->times()->shares()['render']['idle'] ?? []);
    }

    /** 75 samples of 1 ms: 20 in which a function slept, 5 compiling. */
    private const SAMPLED = [['main()', 1], ['work', 49], ['usleep', 20], ['load::a.php', 5]];

    /** Of the 55 ms in which it did not sleep 30 were on the CPU, of compiling as of the others. */
    private const BUSY = ['cpu' => 27.272727, 'compile' => 2.727273, 'sleep' => 20, 'not_running' => 25];

    /** @return iterable<string, array{array<string, mixed>, array<string, int|float>, list<string>}> */
    public static function measured(): iterable
    {
        $of = static fn (int $duration, int $cpu): array => ['duration_us' => $duration, 'cpu_us' => $cpu];
        yield 'a busy machine' => [
            $of(75_000, 30_000), self::BUSY, [],
        ];
        yield 'a calm one: the function that waits has computed a little' => [
            $of(75_000, 56_000), ['cpu' => 51, 'compile' => 5, 'sleep' => 19], [],
        ];
        yield 'others had the processor while it compiled' => [
            $of(75_000, 1100), ['cpu' => 1, 'compile' => 0.1, 'sleep' => 20, 'not_running' => 53.9], [],
        ];
        yield 'it only waited' => [$of(75_000, 0), ['sleep' => 20, 'not_running' => 55], []];
        yield 'samples that met a function while others had the processor' => [
            $of(75_000, 30_000) + ['run_delay_us' => 35_000],
            ['cpu' => 27.692308, 'compile' => 2.307692, 'sleep' => 10, 'not_running' => 35],
            [],
        ];
        yield 'a clock that is a little ahead' => [$of(75_000, 75_100), ['cpu' => 70, 'compile' => 5], []];
        yield 'one sample less than it took' => [
            $of(76_000, 30_400), self::BUSY, [],
        ];
        yield 'a short one, of a few samples' => [
            ['sample_interval_us' => 5000] + $of(79_000, 31_600),
            self::BUSY, [],
        ];
        yield 'samples were lost' => [
            $of(100_000, 40_000), self::BUSY,
            [
                'Its samples are of 75.0 ms, and it ran for 100 ms: CPU time was measured for all of that, and has the same share'
                    . ' here.',
            ],
        ];
        yield 'the span of a fiber' => [
            $of(75_000, 30_000) + ['elapsed_us' => 175_000, 'suspended_us' => 100_000],
            self::BUSY + ['suspended' => 100], [],
        ];
        $unknown = ['compile' => 5, 'sleep' => 20, 'unknown' => 50];
        yield 'a run of an older version' => [['duration_us' => 75_000], $unknown, [RunTimes::SAMPLES]];
        yield 'no number' => [['duration_us' => 75_000, 'cpu_us' => '30000'], $unknown, [RunTimes::SAMPLES]];
        yield 'below 0' => [$of(75_000, -1), $unknown, [RunTimes::SAMPLES]];
        yield 'no time' => [$of(0, 0), $unknown, [RunTimes::SAMPLES]];
        yield 'the time is not known' => [['cpu_us' => 30_000], $unknown, [RunTimes::SAMPLES]];
    }

    /**
     * The CPU time of a sampled run is known of its whole, not of its functions.
     *
     * @param array<string, mixed> $meta
     * @param array<string, int|float> $expected
     * @param list<string> $notes
     */
    #[DataProvider('measured')]
    public function testTheCpuTimeOfASampledRun(array $meta, array $expected, array $notes): void
    {
        $run = $this->saved(self::samples(), $meta + RunMeta::ofSamples('wall', 75, 1000));
        $times = $run->times()->whole();

        self::assertSame($expected, self::ms($times));
        self::assertSame($notes, $times?->notes);
        self::assertTrue($times->bySamples);
        $work = $run->times()->ofFunction('work');
        self::assertSame(['unknown' => 49], self::ms($work));
        self::assertSame([RunTimes::SAMPLES], $work?->notes);
        $valid = is_int($meta['cpu_us'] ?? null) && $meta['cpu_us'] >= 0;
        self::assertSame($valid ? $meta['cpu_us'] : null, $run->meta()->toArray()['cpu_us'] ?? null);
    }

    /** @return iterable<string, array{mixed, array<string, int|float>, array<string, int|float>}> us, ms of all and of query() */
    public static function delays(): iterable
    {
        $waiting = ['cpu' => 210, 'sql' => 500, 'file' => 20, 'sleep' => 100, 'not_running' => 60];
        yield 'a calm machine' => [60_000, $waiting, ['cpu' => 150, 'sql' => 500]];
        yield 'less than did not run: the disk had to give memory' => [1000, $waiting, ['cpu' => 150, 'sql' => 500]];
        yield 'not known' => [null, $waiting, ['cpu' => 150, 'sql' => 500]];
        yield 'no number' => ['560000', $waiting, ['cpu' => 150, 'sql' => 500]];
        yield 'below 0' => [-560_000, $waiting, ['cpu' => 150, 'sql' => 500]];
        yield 'those that compute have it, by their CPU time, and sleeping none' => [
            220_000,
            ['cpu' => 210, 'sql' => 350, 'file' => 10, 'sleep' => 100, 'not_running' => 220],
            ['cpu' => 150, 'sql' => 350, 'not_running' => 150],
        ];
        yield 'one has no more than it was idle: the rest is the other\'s' => [
            480_000,
            ['cpu' => 210, 'sql' => 100, 'sleep' => 100, 'not_running' => 480],
            ['cpu' => 150, 'sql' => 100, 'not_running' => 400],
        ];
        yield 'a database within the process, on a busy machine' => [
            580_000, ['cpu' => 210, 'sleep' => 100, 'not_running' => 580], ['cpu' => 150, 'not_running' => 500],
        ];
        yield 'more than all were idle' => [
            5_000_000, ['cpu' => 210, 'sleep' => 100, 'not_running' => 580], ['cpu' => 150, 'not_running' => 500],
        ];
    }

    /**
     * What a function that waits was idle is not all waiting, where the kernel has counted that others had the processor.
     *
     * @param array<string, int|float> $whole
     * @param array<string, int|float> $query
     */
    #[DataProvider('delays')]
    public function testOthersHadTheProcessorWhileAFunctionThatWaitsComputed(mixed $delay, array $whole, array $query): void
    {
        $tree = self::tree([
            ['main()', 0, 0, 0],
            ['loop', 1, 110, 50],
            ['query', 1, 0, 0],
            ['PDO::query', 2, 650, 150],
            ['usleep', 1, 100, 0],
            ['fopen', 1, 30, 10],
        ]);
        $run = $this->saved($tree, ['run_delay_us' => $delay]);
        self::assertSame($whole, self::ms($run->times()->whole()));
        self::assertSame($query, self::ms($run->times()->ofFunction('query')));
        $mean = new MeanRun([static fn (): Run => $run, static fn (): Run => $run]);
        self::assertSame($whole, self::ms($mean->times()->whole()));
        self::assertSame($query, self::ms($mean->times()->ofFunction('query')));
    }

    /** One run of a mean counts as many times as its weight says; one without CPU time leaves that of all unknown. */
    public function testTheCpuTimeOfAMeanOfSampledRuns(): void
    {
        $samples = RunMeta::ofSamples('wall', 75, 1000);
        $open = fn (?int $cpu): \Closure => fn (): Run
            => $this->saved(self::samples(), ['duration_us' => 75_000, 'cpu_us' => $cpu] + $samples);
        $mean = new MeanRun([$open(20_000), $open(50_000)], [3, 1]);
        self::assertSame(
            ['cpu' => 25, 'compile' => 2.5, 'sleep' => 20, 'not_running' => 27.5],
            self::ms($mean->times()->whole()),
        );
        $mean = new MeanRun([$open(20_000), $open(40_000)]);
        self::assertSame(self::BUSY, self::ms($mean->times()->whole()));
        $mean = new MeanRun([$open(20_000), $open(null)]);
        self::assertSame(['compile' => 5, 'sleep' => 20, 'unknown' => 50], self::ms($mean->times()->whole()));
    }

    /** What a range of its time took of the CPU is not known, nor what samples of CPU time have beside them. */
    public function testTheCpuTimeOfASampledRunIsNotThatOfAPart(): void
    {
        $meta = ['duration_us' => 75_000, 'cpu_us' => 30_000] + RunMeta::ofSamples('wall', 75, 1000);
        $part = RunTimes::ofPart(self::samples()->toProfile(), RunMeta::fromArray($meta), static fn () => null);
        self::assertSame(['compile' => 5, 'sleep' => 20, 'unknown' => 50], self::ms($part->whole()));
        $tree = CallTree::fromArray([
            'names' => ['main()', 'work'], 'fn' => [0, 1], 'depth' => [0, 1], 'ct' => [1, 1],
            'self' => ['cpu' => [1_000_000, 29_000_000]],
        ]);
        $meta = ['duration_us' => 75_000, 'cpu_us' => 31_000, 'totals' => ['wt' => 75_000]] + RunMeta::ofSamples('cpu', 30, 1000);
        self::assertSame(['cpu' => 30, 'unknown' => 45], self::ms(self::made($tree, $meta)->times()->whole()));
    }

    private static function samples(): CallTree
    {
        $nodes = array_keys(self::SAMPLED);
        $samples = array_column(self::SAMPLED, 1);

        return CallTree::fromArray([
            'names' => array_column(self::SAMPLED, 0), 'fn' => $nodes, 'depth' => [0, 1, 1, 1], 'ct' => $samples,
            'self' => ['wt' => array_map(static fn (int $ms): int => $ms * 1_000_000, $samples)],
        ]);
    }

    /** All of the time without CPU waited: no nanosecond of rounding is left of it. */
    public function testWaitingThatIsCutIsAllTheRest(): void
    {
        $times = TimeParts::measured(1000, 400, ['sql' => 334, 'sleep' => 333, 'file' => 333, 'gc' => 7], TimePart::NotRunning);

        self::assertSame(['cpu' => 393, 'gc' => 7, 'sql' => 202, 'file' => 199, 'sleep' => 199], $times->ns);
        self::assertSame(['cpu' => 1000], TimeParts::measured(1000, 1000, ['sql' => 334], TimePart::NotRunning)->ns);
    }

    public function testWithoutCpuTimeNothingIsKnown(): void
    {
        $profile = Profile::fromEdges(['main()' => ['ct' => 1, 'wt' => 900], 'main()==>usleep' => ['ct' => 3, 'wt' => 700]]);
        $times = (new MadeRun(null, 'imported', RunMeta::fromArray([]), null, $profile))->times()->whole();

        self::assertSame(['unknown' => 900_000], $times?->ns);
        self::assertTrue($times->isUnknown());
        $most = 'Of it functions that wait took: Sleeping 700 µs (77.8 %). They waited for that at most.';
        self::assertSame([RunTimes::NO_CPU, $most], $times->notes);
        $profile = Profile::fromEdges(['main()' => ['ct' => 1, 'wt' => 900], 'main()==>usleep' => ['ct' => 3, 'wt' => 7]]);
        $times = (new MadeRun(null, 'imported', RunMeta::fromArray([]), null, $profile))->times()->whole();
        self::assertSame([RunTimes::NO_CPU], $times?->notes, 'less than a hundredth');
    }

    public function testWithoutTimesThereIsNoBar(): void
    {
        $run = new MadeRun(null, 'memory', RunMeta::fromArray([]), null, Profile::fromEdges(['main()' => ['ct' => 1, 'mu' => 9]]));

        self::assertNull($run->times()->whole());
        self::assertNull($run->times()->ofFunction('main()'));
    }

    /** As imports from Tideways and old XHProf have them. */
    public function testUserAndSystemTimeAreCpuTime(): void
    {
        $run = new MadeRun(null, 'imported', RunMeta::fromArray([]), null, Profile::fromEdges([
            'main()' => ['ct' => 1, 'wt' => 900, 'ut' => 100, 'st' => 50],
            'main()==>PDO::query' => ['ct' => 3, 'wt' => 700, 'ut' => 20, 'st' => 30],
        ]));

        $expected = ['cpu' => 150_000, 'sql' => 650_000, 'not_running' => 100_000];
        self::assertSame($expected, $run->times()->whole()?->ns);
    }

    /** Samples by the CPU clock do not meet what waits; of a window's requests the wall time is known. */
    public function testSamplesOfCpuTimeKnowNoWaiting(): void
    {
        $tree = CallTree::fromArray([
            'names' => ['main()', 'work'], 'fn' => [0, 1], 'depth' => [0, 1], 'ct' => [1, 1],
            'self' => ['cpu' => [1_000_000, 29_000_000]],
        ]);
        $route = ['requests' => 4, 'wall_us' => 50_000, 'cpu_us' => 30_000];
        foreach (
            [
            [RunMeta::ofSamples('cpu', 30, 1000), ['cpu' => 30]],
            [RunMeta::ofSamples('cpu', 30, 1000) + ['aggregate' => ['requests' => 4, 'routes' => ['GET /' => $route]]], [
                'cpu' => 30, 'unknown' => 20,
            ]],
            ] as [$meta, $expected]
        ) {
            $times = self::made($tree, $meta)->times()->whole();
            self::assertSame($expected, self::ms($times));
            self::assertSame([RunTimes::NO_WALL], $times?->notes);
        }
    }

    /** The span of a fiber: the tree has only what it ran itself. */
    public function testSuspendedTimeIsAPart(): void
    {
        $nodes = [['main()', 0, 2, 2], ['usleep', 1, 8, 0]];
        $meta = ['suspended_us' => 23_000, 'duration_us' => 10_000];
        $times = self::made(self::tree($nodes), $meta)->times()->whole();

        self::assertSame(['cpu' => 2, 'sleep' => 8, 'suspended' => 23], self::ms($times));
        self::assertSame(33_000_000, $times?->total());
    }

    /** @return iterable<string, array{list<string>, array<string, int>|null, array<string, int>}> */
    public static function leftOut(): iterable
    {
        $flags = ['NO_BUILTINS'];
        $waits = ['sql' => 20, 'output' => 4, 'gc' => 2];
        yield 'with operations' => [
            $flags, $waits, ['cpu' => 13, 'gc' => 2, 'sql' => 20, 'output' => 4, 'not_running' => 6],
        ];
        yield 'without operations' => [$flags, null, ['cpu' => 15, 'unknown' => 30]];
        yield 'none waited' => [$flags, [], ['cpu' => 15, 'not_running' => 30]];
        yield 'longer operations than idle time' => [$flags, ['sql' => 90], ['cpu' => 15, 'sql' => 28, 'not_running' => 2]];
        yield 'output of a run with all functions' => [[], ['output' => 4], ['cpu' => 15, 'output' => 4, 'not_running' => 26]];
    }

    /**
     * handler() is idle for 28 ms, main() for 2 ms.
     *
     * @param list<string> $flags
     * @param array<string, int>|null $waits
     * @param array<string, int> $expected
     */
    #[DataProvider('leftOut')]
    public function testOperationsOfUserFunctionsAreTheirWaiting(array $flags, ?array $waits, array $expected): void
    {
        $tree = self::tree([['main()', 0, 5, 3], ['handler', 1, 40, 12]]);
        $run = $this->saved($tree, ['flag_names' => $flags], $waits === null ? null : [1 => $waits]);
        $times = $run->times()->whole();

        self::assertSame($expected, self::ms($times));
        self::assertSame(45_000_000, $times?->total());
        self::assertSame(isset($expected['unknown']) ? [RunTimes::NO_OPERATIONS] : [], $times->notes);
        // What is drawn by function adds up to the same.
        $shares = $run->times()->shares()['handler'] ?? [];
        [$idle, $cpu] = [$shares['idle'] ?? [], $shares['cpu'] ?? []];
        self::assertEqualsWithDelta($expected['sql'] ?? 0, 28 * ($idle['sql'] ?? 0), 0.001);
        self::assertEqualsWithDelta($expected['gc'] ?? 0, 12 * ($cpu['gc'] ?? 0), 0.001);
        self::assertSame(isset($expected['unknown']) ? TimePart::Unknown : TimePart::NotRunning, $run->times()->rest());
    }

    /** fopen() of a URL is an HTTP request; the operations know it. */
    public function testOperationsSayWhatAFunctionWaitedFor(): void
    {
        $tree = self::tree([['main()', 0, 1, 1], ['fopen', 1, 31, 1]]);
        $run = $this->saved($tree, [], [1 => ['http' => 40, 'file' => 20]]);

        self::assertSame(['cpu' => 2, 'http' => 20, 'file' => 10], self::ms($run->times()->whole()));
        self::assertSame(['http' => 0.666667, 'file' => 0.333333], $run->times()->shares()['fopen']['idle'] ?? []);
    }

    public function testDamagedOperationsTakeNothingFromTheBar(): void
    {
        $tree = self::tree([['main()', 0, 1, 1], ['fopen', 1, 31, 1]]);
        $run = $this->saved($tree, [], [1 => ['http' => 40]], ['texts' => 7]);

        self::assertSame(['cpu' => 2, 'file' => 30], self::ms($run->times()->whole()));
    }

    public function testAFunctionWithItsCallees(): void
    {
        $nodes = [
            ['main()', 0, 1, 1], ['page', 1, 2, 2], ['usleep', 2, 10, 0], ['page', 2, 3, 1], ['PDO::query', 3, 9, 1],
            ['usleep', 1, 7, 0], ['page', 1, 4, 4],
        ];
        foreach ([self::made(self::tree($nodes)), $this->saved(self::tree($nodes))] as $run) {
            $times = $run->times();
            self::assertSame(['cpu' => 8, 'sql' => 8, 'sleep' => 10, 'not_running' => 2], self::ms($times->ofFunction('page')));
            self::assertNull($times->ofFunction('page@1'), 'a level is not the function');
            self::assertSame(['sleep' => 17], self::ms($times->ofFunction('usleep')));
            self::assertSame([], self::ms($times->ofFunction('none')));
            self::assertEquals($times->whole(), $times->ofFunction('main()'));
            self::assertSame(['cpu' => 2, 'sql' => 8, 'not_running' => 2], self::ms($times->below(3)));
            self::assertSame(['cpu' => 4], self::ms($times->below(6)));
            self::assertSame([], self::ms($times->below(7)));
            self::assertSame([], self::ms($times->below(-1)));
            $figures = $run->profile()->functions();
            foreach (array_combine($figures->names, $figures->columns['wt']) as $name => $ns) {
                str_contains($name, '@') || self::assertSame($ns, $times->ofFunction($name)?->total(), $name);
            }
        }
    }

    /** The mean of a function is that of each run, which need not have it. */
    public function testAFunctionOfAMean(): void
    {
        $with = $this->saved(self::tree([['main()', 0, 1, 1], ['page', 1, 3, 2], ['usleep', 2, 9, 0]]));
        $without = $this->saved(self::tree([['main()', 0, 1, 1]]));
        $open = static fn (Run $run): \Closure => static fn (): Run => $run;
        $mean = new MeanRun([$open($with), $open($with), $open($without)]);
        $expected = ['cpu' => 1_333_333, 'sleep' => 6_000_000, 'not_running' => 666_667];
        self::assertSame($expected, $mean->times()->ofFunction('page')?->ns);
        $weighted = new MeanRun([$open($with), $open($without)], [3, 1]);
        self::assertSame(['cpu' => 1.5, 'sleep' => 6.75, 'not_running' => 0.75], self::ms($weighted->times()->ofFunction('page')));
        $edges = new MadeRun(null, 'edges', RunMeta::fromArray([]), null, self::tree([['main()', 0, 1, 1]])->toEdges());
        self::assertNull((new MeanRun([$open($with), $open($edges)]))->times()->ofFunction('page'), 'one has no call paths');
    }

    /** Operations outside of the function are not its own. */
    public function testOperationsWithinAFunction(): void
    {
        $tree = self::tree([['main()', 0, 1, 1], ['page', 1, 2, 2], ['handler', 2, 10, 1], ['handler', 1, 30, 1]]);
        $run = $this->saved($tree, ['flag_names' => ['NO_BUILTINS']], [2 => ['sql' => 4], 3 => ['http' => 20]]);

        self::assertSame(['cpu' => 3, 'sql' => 4, 'not_running' => 5], self::ms($run->times()->ofFunction('page')));
        $expected = ['cpu' => 2, 'sql' => 4, 'http' => 20, 'not_running' => 14];
        self::assertSame($expected, self::ms($run->times()->ofFunction('handler')));
    }

    public function testSumsAndMeansAddUp(): void
    {
        $a = TimeParts::of(['cpu' => 10, 'sql' => 21, 'unknown' => 1], notes: ['one']);
        $b = TimeParts::of(['cpu' => 1, 'sleep' => 4], true, ['one', 'two']);
        $sum = TimeParts::sum([$a, $b]);

        self::assertSame(['cpu' => 11, 'sql' => 21, 'sleep' => 4, 'unknown' => 1], $sum->ns);
        self::assertSame([37, 11, 25, true, ['one', 'two']], [
            $sum->total(), $sum->group(TimePart::ON_CPU), $sum->group(TimePart::WAITING), $sum->bySamples, $sum->notes,
        ]);
        self::assertSame(['cpu' => 4, 'sql' => 7, 'sleep' => 1], $sum->dividedBy(3)->ns);
        self::assertSame([], TimeParts::sum([])->ns);
        self::assertSame(0.0, TimeParts::sum([])->share(0));
        self::assertSame(
            ['cpu' => -9, 'sql' => -21, 'sleep' => 4, 'unknown' => -1],
            array_column(array_map(static fn (array $one): array
                => ['key' => $one['part']->value] + $one, $a->changes($b)), 'delta', 'key'),
        );
    }

    /** Whatever is in a run: parts are more than 0 and add up to its wall time; CPU time is no more than there is. */
    public function testPartsAlwaysAddUp(): void
    {
        mt_srand(36);
        $names = ['main()', 'work', 'PDO::query', 'usleep', 'load::a.php', 'eval::a', 'gc_collect_cycles', 'Redis::get', 'visit'];
        for ($round = 0; $round < 300; $round++) {
            $nodes = [['main()', 0, mt_rand(0, 5), mt_rand(0, 5)]];
            for ($depth = 0, $i = mt_rand(0, 30); $i > 0; $i--) {
                $depth = mt_rand(1, $depth + 1);
                $nodes[] = [$names[mt_rand(1, 8)], $depth, mt_rand(0, 20), mt_rand(0, $round % 3 === 0 ? 30 : 10)];
            }
            $tree = self::tree($nodes, mt_rand(1, 999_999));
            $waits = [];
            for ($operations = mt_rand(0, 3); $operations > 0; $operations--) {
                $kind = ['sql', 'http', 'gc', 'compile', 'output'][mt_rand(0, 4)];
                $waits[mt_rand(0, count($nodes) - 1)] = [$kind => mt_rand(0, 30)];
            }
            $run = $this->saved($tree, ['flag_names' => mt_rand(0, 1) === 0 ? [] : ['NO_BUILTINS']], $waits ?: null);
            $times = $run->times()->whole();
            self::assertNotNull($times);
            self::assertSame(array_sum($tree->exclusive('wt')), $times->total());
            self::assertSame([], array_filter($times->ns, static fn (int $ns): bool => $ns <= 0));
            $cpu = array_sum($tree->exclusive('cpu'));
            self::assertLessThanOrEqual($cpu, $times->ns(TimePart::Cpu));
            foreach (array_unique($tree->names) as $name) {
                $below = $run->times()->ofFunction($name);
                self::assertSame(self::below($tree, $name), $below?->total(), $name);
            }
        }
    }

    /** Of all kinds of runs that the golden files show: windows, spans, samples, PECL's, hostile names, ranges of time. */
    public function testTheBarOfEachRunIsItsWallTime(): void
    {
        GoldenRuns::build($this->folder);
        FiberRuns::build($this->folder);
        $store = new RunFolder($this->folder);
        $seen = ['with times' => 0, 'by samples' => 0, 'suspended' => 0, 'a range' => 0];
        foreach ($store->catalog()->find(new RunQuery(), 500)->runs as $entry) {
            if ($entry->error !== null) {
                continue;
            }
            $run = $store->open($entry->id);
            $span = $run->span();
            $part = $span === null ? null : new TimeRange(1, intdiv($span->duration, 2));
            foreach (['whole' => $run, 'a range' => $part === null ? null : new PartOfRun($run, $part)] as $kind => $one) {
                $times = $one?->times()->whole();
                if ($one === null || $times === null || !in_array('wt', $one->metrics(), true)) {
                    continue;
                }
                $suspended = $kind === 'whole' ? (int) $run->meta()->totals->suspendedUs * 1000 : 0;
                $wall = (int) round(1000 * $one->profile()->total('wt'));
                self::assertSame($wall + $suspended, $times->total(), "$entry->id, $kind");
                self::assertSame([], array_filter($times->ns, static fn (int $ns): bool => $ns <= 0));
                $cpu = $one->times()->cpuMetrics() === ['cpu'] ? (int) round(1000 * $one->profile()->total('cpu')) : null;
                if ($cpu !== null && $cpu <= $wall) {
                    self::assertLessThanOrEqual($cpu, $times->group(TimePart::ON_CPU), (string) $entry->id);
                }
                $seen['with times']++;
                $seen['by samples'] += (int) $times->bySamples;
                $seen['suspended'] += (int) ($suspended > 0);
                $seen['a range'] += (int) ($kind === 'a range');
            }
        }
        self::assertSame([], array_filter($seen, static fn (int $count): bool => $count === 0), (string) json_encode($seen));
    }

    public function testRangesAreFoundInBytesAndInMemory(): void
    {
        mt_srand(7);
        for ($round = 0; $round < 50; $round++) {
            $nodes = [['main()', 0, 1, 1]];
            for ($depth = 0, $i = 40; $i > 0; $i--) {
                $depth = mt_rand(1, $depth + 1);
                $nodes[] = [['a', 'b', 'c'][mt_rand(0, 2)], $depth, 1, 1];
            }
            $tree = self::tree($nodes);
            $saved = $this->saved($tree)->pathNodes();
            self::assertNotNull($saved?->bytes());
            foreach (['a', 'b', 'c', 'main()'] as $name) {
                $inMemory = NodeRanges::ofFunction(TreeNodes::ofTree($tree, ['wt']), $name)->ranges;
                self::assertSame($inMemory, NodeRanges::ofFunction($saved, $name)->ranges);
            }
        }
    }
}
