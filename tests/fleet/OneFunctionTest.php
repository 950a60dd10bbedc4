<?php

declare(strict_types=1);

namespace XHProf\Tests\Fleet;

use XHProf\Demo\Fleet\Plan;
use XHProf\Demo\Fleet\SentWindow;
use XHProf\Demo\Fleet\Simulation;
use XHProf\Fleet\Question\OneFunction;
use XHProf\Fleet\Question\SampledClock;
use XHProf\Fleet\Question\Selection;
use XHProf\Fleet\Question\TimeSteps;
use XHProf\Fleet\Shipment;
use XHProf\Profile\CallTree;
use XHProf\Run\ChangedRun;
use XHProf\Run\RequestWindow;

require_once __DIR__ . '/FleetTestCase.php';

/** What is known of one function is what was shipped. */
final class OneFunctionTest extends FleetTestCase
{
    private const ROUTE = 'GET /products/{id}';
    private const FUNCTION = 'PDO::prepare';

    public function testCallersAndCalleesAddUpToWhatWasSent(): void
    {
        $this->init();
        $plan = new Plan(12, hosts: 2, windows: 2, badHosts: 0);
        $runs = self::listed((new Simulation(self::real(), $plan))->runs());
        $this->send($runs);
        $whole = new Selection(Plan::SERVICE);
        $checked = 0;
        foreach ([...array_slice($runs[0]->tree()->names, 1), 'no such function'] as $name) {
            [$callers, $callees, $own] = self::neighbours($runs, $name);
            if ($checked++ > 25 && $name !== self::FUNCTION) {
                continue;
            }
            $one = new OneFunction($this->client('reader'), $name);
            $found = [$one->callers($whole, SampledClock::Wall), $one->callees($whole, SampledClock::Wall)];
            self::assertSame($callers, self::times($found[0]), $name);
            self::assertSame($callees, self::times($found[1]), $name);
            $figures = $one->figures($whole, SampledClock::Wall);
            self::assertSame($own, $figures?->self() ?? 0, $name);
            self::assertSame($figures?->total() ?? 0, $own + array_sum($callees), $name);
            $steps = TimeSteps::divide($this->client('reader'), $whole);
            self::assertNotNull($steps);
            $time = $one->overTime($steps, SampledClock::Wall);
            self::assertSame([4, $own], [count($time), array_sum(array_column($time, 'self'))], $name);
            self::assertSame($figures?->total() ?? 0, array_sum(array_column($time, 'total')), $name);
        }
        self::assertGreaterThan(25, $checked);
        $which = new Selection(Plan::SERVICE, route: self::ROUTE, release: Plan::NEW, host: 'web-02');
        $some = array_filter($runs, static fn (Shipment $one): bool
            => $one->run->meta()->origin->host === 'web-02' && $one->run->meta()->origin->release === Plan::NEW);
        $one = new OneFunction($this->client('reader'), self::FUNCTION);
        self::assertSame(
            self::neighbours($some, self::FUNCTION, self::ROUTE)[0],
            self::times($one->callers($which, SampledClock::Wall)),
        );
    }

    public function testAFunctionBelowItselfCountsOnce(): void
    {
        $this->init();
        $tree = CallTree::fromArray([
            'names' => ['main()', 'GET /', 'a', 'b', 'c'],
            // GET / > a > b > a > c, GET / > b > b
            'fn' => [0, 1, 2, 3, 2, 4, 3, 3],
            'depth' => [0, 1, 2, 3, 4, 5, 2, 3],
            'ct' => [0, 1, 2, 3, 4, 5, 6, 7],
            'self' => ['wt' => [0, 10, 20, 30, 40, 50, 60, 70]],
        ]);
        $now = (float) intdiv(time() - 3600, 600) * 600;
        $window = RequestWindow::fromMeta([
            'seconds' => 60, 'from' => $now, 'to' => $now + 60, 'requests' => 4, 'processes' => 1,
            'routes' => ['GET /' => ['requests' => 4, 'wall_us' => 40, 'max_us' => 15, 'wall' => [10, 4]]],
        ]);
        self::assertNotNull($window);
        $run = SentWindow::shipment('k', 'i.s', 'shop', '', '1', 'h', $window, $tree, 10);
        $this->send([$run]);
        $of = fn (string $name): array => array_map(
            self::times(...),
            [
                (new OneFunction($this->client('reader'), $name))->callers(new Selection('shop'), SampledClock::Wall),
                (new OneFunction($this->client('reader'), $name))->callees(new Selection('shop'), SampledClock::Wall),
            ],
        );
        self::assertSame([['GET /' => 140], ['b' => 30, 'c' => 50]], $of('a'));
        self::assertSame([['GET /' => 130, 'a' => 120], ['a' => 90]], $of('b'));
        self::assertSame([[], ['a' => 140, 'b' => 130]], $of('GET /'));
        self::assertSame([['a' => 50], []], $of('c'));
        self::assertSame(self::neighbours([$run], 'b')[0], $of('b')[0]);
        $text = $this->ask(['function', 'a', '--service=shop']);
        foreach (['called by', 'calls', 'GET /', 'Not enough data: it takes 4 hosts to know whether one stands out.'] as $part) {
            self::assertStringContainsString($part, $text);
        }
        $json = $this->json(['function', 'b', '--service=shop']);
        self::assertEquals([4, 40, 62.5, 600], [$json['requests'], $json['self_ns'], $json['total_ns'], $json['step_seconds']]);
        self::assertEquals([32.5, 30], array_column($json['callers']['rows'], 'total_ns'));
        self::assertEquals([[1, 'h']], array_map(
            static fn (array $host): array => [$host['slowness'], $host['host']],
            $json['hosts']['rows'],
        ));
        self::assertStringContainsString('no host has sent a function', $this->ask(['function', 'x', '--service=shop'], 1));
    }

    public function testAHostWhereTheFunctionIsSlowStandsOut(): void
    {
        $this->init();
        $runs = self::listed((new Simulation(self::real(), new Plan(13, hosts: 8, windows: 2, badHosts: 0)))->runs());
        foreach ($runs as $i => $one) {
            $runs[$i] = $one->run->meta()->origin->host === 'web-03' ? self::slower($one, self::FUNCTION) : $one;
        }
        $this->send($runs);
        $hosts = (new OneFunction($this->client('reader'), self::FUNCTION))
            ->hosts(new Selection(Plan::SERVICE), SampledClock::Wall);
        self::assertSame(['web-03', true, 8], [$hosts[0]['host'], $hosts[0]['is_outlier'], count($hosts)]);
        self::assertGreaterThan(2.5, $hosts[0]['slowness']);
    }

    /** The run whose function takes three times as long. */
    private static function slower(Shipment $of, string $function): Shipment
    {
        $tree = $of->tree();
        $data = $tree->toArray();
        foreach ($tree->fn as $node => $fn) {
            $data['self']['wt'][$node] = $tree->self['wt'][$node] * ($tree->names[$fn] === $function ? 3 : 1);
        }

        return new Shipment(...['run' => ChangedRun::withTree($of->run, CallTree::fromArray($data))] + get_object_vars($of));
    }

    /**
     * @param iterable<Shipment> $runs
     *
     * @return array{array<string, int>, array<string, int>, int} ns by caller and by callee, and its own
     */
    private static function neighbours(iterable $runs, string $name, string $route = ''): array
    {
        $callers = $callees = [];
        $own = 0;
        foreach ($runs as $run) {
            $path = [];
            $tree = $run->tree();
            foreach ($tree->fn as $node => $fn) {
                $path = [...array_slice($path, 0, $tree->depth[$node]), $tree->names[$fn]];
                $stack = array_slice($path, 1);
                $time = $tree->self['wt'][$node];
                $at = array_keys($stack, $name, true);
                if ($at === [] || ($route !== '' && $stack[0] !== $route)) {
                    continue;
                }
                $own += end($stack) === $name ? $time : 0;
                if ($at[0] > 0) {
                    $callers[$stack[$at[0] - 1]] = ($callers[$stack[$at[0] - 1]] ?? 0) + $time;
                }
                if (end($at) < count($stack) - 1) {
                    $callees[$stack[end($at) + 1]] = ($callees[$stack[end($at) + 1]] ?? 0) + $time;
                }
            }
        }
        $callers = array_filter($callers);
        $callees = array_filter($callees);
        ksort($callers);
        ksort($callees);

        return [$callers, $callees, $own];
    }

    /**
     * @param list<array{name: string, time: int}> $found
     *
     * @return array<string, int>
     */
    private static function times(array $found): array
    {
        $times = array_combine(array_column($found, 'name'), array_column($found, 'time'));
        ksort($times);

        return $times;
    }
}
