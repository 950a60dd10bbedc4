<?php

declare(strict_types=1);

namespace XHProf\Tests\Bench;

use PHPUnit\Framework\TestCase;
use XHProf\Bench\EmptyRequests;
use XHProf\Bench\LargeProfiles;
use XHProf\Bench\Opcache;
use XHProf\Bench\ServerLoad;
use XHProf\Bench\Workloads;

require_once __DIR__ . '/../../benchmarks/src/autoload.php';
require_once __DIR__ . '/BenchProcess.php';

/** One short run of the whole benchmark checks that all of it works. Times are not checked. */
final class QuickRunTest extends TestCase
{
    private const ROOT = __DIR__ . '/../..';
    private const OWN = ['idle', 'after', 'hooks=off', 'flags 0', 'NO_BUILTINS', 'CPU', 'MEMORY', 'CPU|MEMORY',
        'TIMELINE', 'CPU|TIMELINE', 'CPU|MEMORY|TIMELINE', 'no operations', 'TIMELINE of all', 'ALLOC', 'memory exact',
        'memory sampled', 'sample 1 ms', 'sample 1 ms cpu',
        'sample 10 ms'];
    private const REFERENCE = ['null-init', 'empty observers', 'limit', 'forward'];
    private const PEERS = [
        'tideways' => ['tideways idle', 'tideways 0', 'tideways CPU|MEMORY'],
        'xdebug' => ['xdebug profile'],
        'excimer' => ['excimer 1 ms'],
    ];
    private const COPY = ['copy idle', 'copy 0', 'copy CPU|MEMORY'];

    private static BenchProcess $reference;
    private static BenchProcess $run;
    /** @var array<string, mixed> */
    private static array $report;

    public static function setUpBeforeClass(): void
    {
        self::$reference = new BenchProcess(['tools/bench-reference.sh']);
        $file = sys_get_temp_dir() . '/xhprof-bench-' . bin2hex(random_bytes(6)) . '.json';
        self::$run = BenchProcess::benchmark(["--json=$file", '--quick'], 'copy=extension/modules/xhprof.so');
        self::$report = is_file($file) ? (array) json_decode((string) file_get_contents($file), true) : [];
        @unlink($file);
    }

    public function testTheReferenceExtensionCompilesWithoutWarnings(): void
    {
        self::assertSame(0, self::$reference->exitCode, self::$reference->errors);
        $log = self::ROOT . '/build/log/bench-reference.log';
        self::assertDoesNotMatchRegularExpression(
            '/bench_reference\.c:.*warning/',
            is_file($log) ? (string) file_get_contents($log) : '',
        );
    }

    public function testItSucceeds(): void
    {
        self::assertSame(0, self::$run->exitCode, self::$run->errors);
        self::assertStringContainsString(' processes', self::$run->errors);
        self::assertStringContainsString('### Opcache off', self::$run->output);
        self::assertStringContainsString('| flags 0 ', self::$run->output);
        self::assertSame([], self::$report['failed']);
        self::assertTrue(self::$report['quick']);
        self::assertStringStartsWith(PHP_VERSION, self::$report['machine']['php']);
    }

    public function testWhatIsMissingIsNamed(): void
    {
        $modes = array_keys(self::$report['jit'] ?: self::$report['measured']['off']['fib']);
        foreach (self::PEERS as $peer => $names) {
            if (!isset(self::$report['skipped'][$peer])) {
                self::assertSame($names, array_values(array_intersect($names, $modes)), $peer);
                self::assertArrayHasKey($peer, self::$report['versions']);
            }
        }
        foreach (array_keys(Workloads::all()) as $workload) {
            self::assertTrue(
                isset(self::$report['over']['off'][$workload]) !== isset(self::$report['skipped'][$workload]),
                $workload,
            );
        }
        foreach (self::$report['skipped'] as $name => $reason) {
            self::assertStringContainsString("skipped: $name: $reason", self::$run->output);
        }
        self::assertArrayNotHasKey('reference', self::$report['skipped']);
    }

    public function testEveryModeHasAFigureInEveryWorkload(): void
    {
        $modes = [...self::OWN, ...self::REFERENCE];
        foreach (self::PEERS as $peer => $names) {
            array_push($modes, ...(isset(self::$report['skipped'][$peer]) ? [] : $names));
        }
        array_push($modes, ...self::COPY);
        $states = array_values(array_filter(
            Opcache::STATES,
            static fn(string $state): bool => !isset(self::$report['skipped'][Opcache::title($state)]),
        ));
        self::assertContains('off', $states);
        self::assertSame($states, array_keys(self::$report['over']));
        foreach ($states as $state) {
            $workloads = array_values(array_diff(array_keys(Workloads::all()), array_keys(self::$report['skipped'])));
            if ($state !== $states[0]) {
                // One of calls and one program.
                $isProgram = static fn(string $name): bool => Workloads::all()[$name]->isProgram;
                $programs = array_values(array_filter($workloads, $isProgram));
                $workloads = [array_values(array_diff($workloads, $programs))[0], $programs[0]];
            }
            self::assertSame($workloads, array_keys(self::$report['over'][$state]));
            foreach ($workloads as $workload) {
                self::assertSame($modes, array_keys(self::$report['over'][$state][$workload]), "$state, $workload");
                self::assertSame(['bare', ...$modes], array_keys(self::$report['measured'][$state][$workload]));
                foreach (self::$report['measured'][$state][$workload] as $mode => $figure) {
                    self::assertCount(1, $figure['samples'], "$state, $workload, $mode");
                    self::assertGreaterThan(0, $figure['median'], "$state, $workload, $mode");
                }
            }
        }
        if (in_array('jit', $states, true)) {
            foreach (['bare', ...self::OWN, ...self::REFERENCE] as $mode) {
                self::assertTrue(self::$report['jit'][$mode], "$mode: the JIT stays on");
            }
        }
    }

    public function testLargeProfiles(): void
    {
        $large = self::$report['large'];
        foreach ([LargeProfiles::DISABLE, LargeProfiles::DISABLE . ' copy', LargeProfiles::SAVE] as $name) {
            self::assertGreaterThan(0, $large[$name]['median'], $name);
        }
        self::assertArrayHasKey(LargeProfiles::PER_NODE, $large);
        self::assertArrayHasKey(LargeProfiles::LEFT, $large);
        self::assertGreaterThan(0, $large[LargeProfiles::REGISTER]['median']);
    }

    public function testEmptyRequests(): void
    {
        if (isset(self::$report['skipped']['empty requests'])) {
            self::assertSame([], self::$report['requests']);
            self::markTestSkipped(self::$report['skipped']['empty requests']);
        }
        self::assertSame(EmptyRequests::names(), array_keys(self::$report['requests']));
        foreach (self::$report['requests'] as $row => $figure) {
            self::assertCount(1, $figure['samples'], $row);
            // What is added may be less than nothing in a short run.
            $number = EmptyRequests::isBase($row) ? '\d+\.\d' : '[+-]\d+\.\d';
            self::assertMatchesRegularExpression('/^\| ' . preg_quote($row, '/') . " +\| +$number \|$/m", self::$run->output);
        }
        self::assertGreaterThan(0, self::$report['requests']['bare']['median']);
    }

    public function testServers(): void
    {
        if (isset(self::$report['skipped']['servers'])) {
            self::assertSame([], self::$report['servers']);
            self::markTestSkipped(self::$report['skipped']['servers']);
        }
        $pages = [];
        foreach (ServerLoad::APPLICATIONS as $application) {
            $skipped = isset(self::$report['skipped'][$application::name()]);
            array_push($pages, ...($skipped ? [] : array_keys($application::pages())));
        }
        self::assertSame($pages, array_slice(array_keys(self::$report['servers']), 2));
        foreach (self::$report['servers'] as $page => $modes) {
            self::assertSame(array_keys(ServerLoad::modes('', [])), array_keys($modes), $page);
            foreach ($modes as $mode => $figures) {
                foreach (['rate', 'p50', 'p99', 'cpu'] as $figure) {
                    self::assertGreaterThan(0, $figures[$figure]['median'], "$page, $mode, $figure");
                    self::assertGreaterThan(0, $figures["$figure over bare"]['median'], "$page, $mode, $figure");
                }
            }
        }
        $rows = preg_match_all('/^\| aggregate 10 ms, 100 % +\|( +x\d+\.\d\d \|){8}$/m', self::$run->output);
        self::assertSame(1 + intdiv(count($pages), 2), $rows);
    }

    public function testGoals(): void
    {
        $goals = array_column(self::$report['goals'], null, 'goal');
        self::assertGreaterThan(20, count($goals));
        self::assertIsFloat($goals['flags 0, slow-down of Twig' . $this->tideways('Twig')]['measured']);
        self::assertIsFloat($goals['disable with 100k edges']['measured']);
        self::assertIsBool($goals['save of a 1M-node tree']['met']);
        self::assertIsFloat($goals['memory exact, slow-down of allocations']['measured']);
        $text = 'memory sampled, slow-down of allocations (handlers that only forward: ';
        $sampled = array_filter($goals, static fn (string $goal): bool => str_starts_with($goal, $text), ARRAY_FILTER_USE_KEY);
        self::assertCount(1, $sampled);
        self::assertIsFloat(array_values($sampled)[0]['measured']);
        self::assertIsFloat($goals['register of 1M live blocks']['measured']);
    }

    private function tideways(string $program): string
    {
        $figure = self::$report['over']['off'][$program]['tideways 0'] ?? null;

        return $figure === null ? '' : sprintf(' (tideways %.2f)', $figure['median']);
    }
}
