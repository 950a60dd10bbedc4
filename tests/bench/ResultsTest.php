<?php

declare(strict_types=1);

namespace XHProf\Tests\Bench;

use PHPUnit\Framework\TestCase;
use XHProf\Bench\Benchmark;
use XHProf\Bench\EmptyRequests;
use XHProf\Bench\Failure;
use XHProf\Bench\Figure;
use XHProf\Bench\Goals;
use XHProf\Bench\MediaWiki;
use XHProf\Bench\Mode;
use XHProf\Bench\Php;
use XHProf\Bench\Progress;
use XHProf\Bench\Results;
use XHProf\Bench\ServerLoad;
use XHProf\Bench\Tables;
use XHProf\Bench\WordPress;
use XHProf\Bench\Workload\Workload;
use XHProf\Bench\WorkloadSpec;
use XHProf\Bench\Workloads;

require_once __DIR__ . '/../../benchmarks/src/autoload.php';

final class ResultsTest extends TestCase
{
    public function testMedianAndMinimum(): void
    {
        self::assertSame(3.0, (new Figure([9.0, 1.0, 3.0]))->median);
        self::assertSame(2.5, (new Figure([4.0, 1.0, 3.0, 2.0]))->median);
        self::assertSame(1.0, (new Figure([4.0, 1.0, 3.0, 2.0]))->min);
        self::assertSame([4.0, 1.0], (new Figure([4.0, 1.0]))->samples);
    }

    public function testARoundIsComparedWithTheBareEngineOfTheSameRound(): void
    {
        $results = new Results();
        $workloads = Workloads::all();
        // The machine was ten times slower in the second round.
        $results->add('off', $workloads['fib'], ['bare' => [10.0, 100.0, 12.0], 'CPU' => [30.0, 300.0, 33.0]]);
        $results->add('off', $workloads['Twig'], ['bare' => [4.0, 40.0, 5.0], 'CPU' => [6.0, 60.0, 10.0]]);
        self::assertSame(21.0, $results->over('off', 'fib', 'CPU'));
        self::assertSame(1.5, $results->over('off', 'Twig', 'CPU'));
        self::assertNull($results->over('off', 'fib', 'bare'));
        self::assertNull($results->over('jit', 'fib', 'CPU'));
        self::assertSame(12.0, $results->measured['off']['fib']['bare']->median);
    }

    public function testGoalsAreMetNotMetOrNotMeasured(): void
    {
        $results = new Results();
        $workloads = Workloads::all();
        $rounds = ['bare' => [10.0], 'flags 0' => [34.0], 'CPU' => [40.0], 'limit' => [30.0], 'tideways 0' => [110.0]];
        $results->add('off', $workloads['fib'], $rounds);
        $results->add('off', $workloads['methods'], ['CPU' => [60.0]] + $rounds);
        $goals = [];
        foreach ((new Goals($results))->all() as $goal) {
            $goals[$goal->text] = $goal;
        }
        self::assertTrue($goals['flags 0 / limit, fib']->isMet());
        self::assertEqualsWithDelta(1.2, $goals['flags 0 / limit, fib']->measured, 1e-9);
        self::assertTrue($goals['flags 0 / tideways 0, fib']->isMet());
        self::assertNull($goals['flags 0 / limit, empty function']->isMet());
        $worst = $goals['CPU / flags 0, the worst of the calls'];
        self::assertFalse($worst->isMet());
        self::assertSame('methods', $worst->of);

        $table = Tables::goals(array_values($goals));
        self::assertMatchesRegularExpression('/^\| flags 0 \/ limit, fib +\| +<= 1.25 x \| +1.20 x \| +met \|$/m', $table);
        self::assertMatchesRegularExpression('/2.08 x \(methods\) \| +NOT met \|$/m', $table);
        self::assertMatchesRegularExpression('/empty function +\| +<= 1.25 x \| +- \| not measured \|$/m', $table);
    }

    public function testGoalsOfTrackedMemory(): void
    {
        $results = new Results();
        $allocations = Workloads::all()['allocations'];
        $results->add('off', $allocations, [
            'bare' => [10.0], 'idle' => [11.0], 'null-init' => [10.5], 'forward' => [10.4],
            'memory exact' => [13.0], 'memory sampled' => [12.0], 'memprof exact' => [71.0],
        ]);
        $goals = [];
        foreach ((new Goals($results))->all() as $goal) {
            $goals[$goal->text] = $goal->isMet();
        }
        self::assertTrue($goals['memory exact, slow-down of allocations (memprof exact 7.10)']);
        self::assertFalse($goals['memory sampled, slow-down of allocations (handlers that only forward: 1.04)']);
        self::assertFalse($goals['tracking off: idle / NULL-init observers, allocations']);
        self::assertNull($goals['register of 1M live blocks']);
    }

    /** Each round is compared with the bare server of that round; the worst page counts. */
    public function testGoalsOfServedPages(): void
    {
        $results = new Results();
        $sample = static fn(float $cpu): array => ['rate' => 10.0, 'p50' => 100.0, 'p99' => 120.0, 'cpu' => $cpu];
        $bare = array_map($sample, [50.0, 100.0, 50.0]);
        foreach (array_keys(WordPress::pages()) as $i => $page) {
            $results->addServer($page, ServerLoad::AGGREGATE, array_map($sample, [50.0, 101.0 + $i, 60.0]), $bare);
        }
        foreach (array_keys(MediaWiki::pages()) as $i => $page) {
            $results->addServer($page, ServerLoad::LIMIT, array_map($sample, [55.0, 100.0 + 10 * $i, 55.0]), $bare);
            $results->addServer($page, ServerLoad::EXACT, array_map($sample, [66.0, 121.0, 60.5]), $bare);
            $results->addServer($page, ServerLoad::UNSAVED, array_map($sample, [63.0, 126.0 - $i, 63.0]), $bare);
        }
        $goals = [];
        foreach ((new Goals($results))->all() as $goal) {
            $goals[$goal->text] = $goal;
        }
        $aggregate = $goals['aggregate 10 ms, 100 %, CPU of the worst page of WordPress'];
        self::assertSame([1.02, 'WordPress, a post with comments'], [$aggregate->measured, $aggregate->of]);
        self::assertFalse($aggregate->isMet());
        self::assertNull($goals['exact, 100 %, CPU of the worst page of WordPress']->isMet());
        self::assertNull($goals['exact, 100 % / limit, CPU of the worst page of WordPress']->isMet());
        self::assertNull($goals['aggregate 10 ms, 100 %, CPU of the worst page of MediaWiki']->isMet());
        $unsaved = $goals['exact, 100 %, not saved, CPU of the worst page of MediaWiki'];
        self::assertSame([1.26, 'MediaWiki, view of a page'], [$unsaved->measured, $unsaved->of]);
        self::assertFalse($unsaved->isMet());
        self::assertTrue($goals['exact, 100 %, CPU of the worst page of MediaWiki']->isMet());
        self::assertEqualsWithDelta(1.21, $goals['exact, 100 %, CPU of the worst page of MediaWiki']->measured, 1e-9);
        self::assertTrue($goals['exact, 100 % / limit, CPU of the worst page of MediaWiki']->isMet());
        self::assertSame(2, substr_count((new Tables($results, [], []))->servers(), 'nginx and PHP-FPM'));
    }

    public function testGoalsOfEmptyRequests(): void
    {
        $results = new Results();
        $figures = [
            'bare' => 15.0, EmptyRequests::HOOKS_OFF => 1.0, EmptyRequests::AGGREGATE => 13.0, EmptyRequests::SAMPLE => 13.5,
            EmptyRequests::SAVED => 190.0, '1000 functions' => 90.0, EmptyRequests::START_AND_STOP => 41.0,
        ];
        foreach ($figures as $row => $figure) {
            $results->requests[$row] = new Figure([$figure]);
        }
        $goals = [];
        foreach ((new Goals($results))->all() as $goal) {
            $goals[$goal->text] = $goal->isMet();
        }
        self::assertTrue($goals['an empty request, hooks=off (0 within noise)']);
        self::assertTrue($goals['an empty request, aggregate, hooks=off, more than hooks=off']);
        self::assertFalse($goals['an empty request, sample, hooks=off, nothing saved, more than hooks=off']);
        self::assertTrue($goals['files of a saved run']);
        self::assertFalse($goals[EmptyRequests::START_AND_STOP]);
        $table = (new Tables($results, [], []))->requests();
        self::assertMatchesRegularExpression('/^\| bare +\| +15\.0 \|$/m', $table);
        self::assertMatchesRegularExpression('/^\| 1000 functions +\| +90\.0 \|$/m', $table);
        self::assertMatchesRegularExpression('/^\| sample, hooks=off, saved +\| +\+190\.0 \|$/m', $table);
    }

    public function testAPeerThatFailsLosesItsFigureOnly(): void
    {
        $bare = new Mode('bare', 'bare', []);
        $results = $this->measure([$bare, new Mode('strange 0', 'strange', [], 'nonsense')]);
        self::assertSame(['bare'], array_keys($results->measured['off']['fib']));
        self::assertStringContainsString('no profiler named nonsense', $results->failures['off, fib, strange 0']);
        $table = (new Tables($results, [Workloads::all()['fib']], ['bare', 'strange 0']))->state('off');
        self::assertMatchesRegularExpression('/^\| strange 0 +\| +failed \|$/m', $table);
    }

    public function testAProgramThatDoesNotRunHereIsLeftOut(): void
    {
        $broken = new WorkloadSpec('broken', Workload::class, true, 1, 1, '/some/library');
        $results = $this->measure([new Mode('bare', 'bare', []), new Mode('idle', 'own', [])], $broken);
        self::assertSame(['off, broken, bare' => 'no workload named "broken"'], $results->failures);
        self::assertSame([], $results->measured);
    }

    public function testAFailureOfOursEndsTheBenchmark(): void
    {
        $this->expectException(Failure::class);
        $this->expectExceptionMessage('off, fib, flags 0: ');
        $this->measure([new Mode('bare', 'bare', []), new Mode('flags 0', 'own', [], 'xhprof:0')]);
    }

    /** @param non-empty-list<Mode> $modes */
    private function measure(array $modes, ?WorkloadSpec $workload = null): Results
    {
        $results = new Results();
        $stream = fopen('php://memory', 'w+');
        self::assertNotFalse($stream);
        $named = array_combine(array_column($modes, 'name'), $modes);
        $benchmark = new Benchmark(new Php(pin: false), $named, [$workload ?? Workloads::all()['fib']], ['off'], 2, true);
        $benchmark->run($results, new Progress($stream, $benchmark->steps()));
        rewind($stream);
        self::assertSame('', stream_get_contents($stream), 'nothing is drawn where there is no terminal');

        return $results;
    }
}
