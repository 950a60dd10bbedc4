<?php

declare(strict_types=1);

namespace XHProf\Tests\Inspector;

use PHPUnit\Framework\Attributes\Group;

require_once __DIR__ . '/InspectorTestCase.php';

/** trace: the running calls of a process. */
#[Group('inspect')]
final class TraceTest extends InspectorTestCase
{
    private const CALLS = <<<'PHP'
        class Worker
        {
            public function run(int $n): void
            {
                $nap = function () { usleep(20_000); };
                array_map(fn (int $i) => $nap(), range(1, $n));
            }
            public static function outer(): Generator { yield from self::inner(); }
            private static function inner(): Generator { yield usleep(20_000); }
        }
        function suspended(): void { Fiber::suspend(); usleep(20_000); }
        $anonymous = new class { public function nap(): void { usleep(20_000); } };
        file_put_contents(__DIR__ . '/part.php', '<?php usleep(20_000);');
        ready();
        $end = microtime(true) + 120;
        while (microtime(true) < $end) {
            (new Worker())->run(2);
            foreach (Worker::outer() as $value) {
            }
            $fiber = new Fiber('suspended');
            $fiber->start();
            $fiber->resume();
            $anonymous->nap();
            include __DIR__ . '/part.php';
        }
        PHP;

    public function testPathsHaveTheNamesOfProfiles(): void
    {
        $pid = $this->target(self::CALLS);
        $folder = basename($this->folder);

        $result = $this->inspect(['trace', '-p', (string) $pid, '--rate=500/s', '--for=2']);

        self::assertSame(0, $result->exitCode, $result->err);
        $paths = self::paths($result->out);
        arsort($paths);
        $closure = fn (int $line): string => "Worker::{closure:$folder/target0.php:$line}";
        $expected = [
            "main();Worker::run;array_map;{$closure(10)};{$closure(9)};usleep",
            'main();Worker::outer;Worker::inner;usleep',
            'main();Fiber::resume;suspended;usleep',
            'main();class@anonymous::nap;usleep',
            "main();run_init::$folder/part.php;usleep",
        ];
        self::assertSame([], array_diff($expected, array_keys($paths)), $result->out);
        // Nearly all time is spent there; on a busy machine the naps last even longer.
        $known = array_sum(array_intersect_key($paths, array_flip($expected)));
        self::assertGreaterThan(0.8 * array_sum($paths), $known, $result->out);
        self::assertMatchesRegularExpression('/: (\d+) samples, \d+ idle, \d+ dropped, \d+ late$/', trim($result->err));
    }

    /** tests/generator/paths_as_backtrace.phpt and its like in sample/ run the same program in exact and sampled profiles. */
    public function testGeneratorsThatDelegateAndResumedFibersHaveThePathsOfTheBacktrace(): void
    {
        $program = var_export(realpath(self::ROOT) . '/extension/tests/delegating.inc', true);
        $pid = $this->target(<<<PHP
            require $program;
            Where::\$microseconds = 1000;
            program();
            file_put_contents(__DIR__ . '/paths', implode("\n", array_keys(Where::\$paths)));
            ready();
            while (true) { program(); }
            PHP);
        $expected = str_replace('==>', ';', explode("\n", (string) file_get_contents("$this->folder/paths")));

        $this->assertPathsToWhere($expected, $pid);
    }

    /** Methods of all kinds, closures, callbacks, generators, fibers, files, eval(): as the backtrace and an exact profile have them. */
    public function testEveryFormOfANameIsThatOfTheBacktraceAndOfProfiles(): void
    {
        $program = var_export(realpath(__DIR__) . '/forms.inc', true);
        file_put_contents("$this->folder/part.php", "<?php\nwhere();\n(fn (): string => where())();\n");
        file_put_contents("$this->folder/exact.php", <<<PHP
            <?php
            require $program;
            xhprof_enable();
            program(__DIR__);
            xhprof_disable();
            \$tree = xhprof_call_tree();
            \$paths = \$path = [];
            foreach (\$tree['fn'] as \$i => \$fn) {
                \$path = array_slice(\$path, 0, \$tree['depth'][\$i]);
                if (\$tree['names'][\$fn] === 'where') {
                    \$paths[implode(';', array_slice(\$path, 1))] = true;
                }
                \$path[] = \$tree['names'][\$fn];
            }
            echo json_encode([array_keys(\$paths), array_keys(Where::\$paths)]);
            PHP);
        $extension = realpath(self::ROOT) . '/extension/modules/xhprof.so';
        $command = [PHP_BINARY, '-n', '-d', "extension=$extension", "$this->folder/exact.php"];
        exec(implode(' ', array_map(escapeshellarg(...), $command)), $lines, $status);
        self::assertSame(0, $status, implode("\n", $lines));
        [$exact, $shown] = json_decode(implode("\n", $lines), true, 4, JSON_THROW_ON_ERROR);
        $unnamed = preg_replace(['/[^;]*\{closure[^;]*/', '/run_init::[^;]*/'], ['{closure}', 'run_init'], $exact);
        self::assertSame([], array_diff($shown, $unnamed), 'the backtrace has more');
        self::assertSame([], array_diff($unnamed, $shown), 'the exact profile has more');
        self::assertGreaterThan(65, count($exact));

        $pid = $this->target(<<<PHP
            require $program;
            Where::\$microseconds = 1000;
            ready();
            while (true) { program(__DIR__); }
            PHP);
        $this->assertPathsToWhere($exact, $pid);
    }

    /** @param list<string> $expected all paths to where(), without main() */
    private function assertPathsToWhere(array $expected, int $pid): void
    {
        $found = [];
        for ($i = 0; $i < 20 && array_diff($expected, $found) !== []; $i++) {
            $result = $this->inspect(['trace', '-p', (string) $pid, '--rate=500', '--for=1']);
            self::assertSame(0, $result->exitCode, $result->err);
            foreach (array_keys(self::paths($result->out)) as $path) {
                if (preg_match('/^main\(\);(.*?);where(;|$)/', $path, $match) === 1) {
                    $found[] = $match[1];
                }
            }
        }

        self::assertSame([], array_diff($expected, $found));
        // A stack that changes while it is read may lack a frame: rarely twice the same.
        $often = array_keys(array_filter(array_count_values($found), static fn (int $times): bool => $times > 2));
        self::assertSame([], array_diff($often, $expected));
    }

    public function testSeveralProcessesAreAddedUp(): void
    {
        $common = 'user_agent=' . basename($this->folder); // in their commands
        $pids = [];
        foreach (['first', 'second', 'third'] as $name) {
            $pids[] = $this->target("function $name(): void { wait(); } $name();", [$common]);
        }

        $two = $this->inspect(['trace', '-p', "$pids[0],$pids[1]", '--rate=50', '--for=0.5']);
        $pool = $this->inspect(['trace', '-P', $common, '--rate=50', '--for=0.5']);

        self::assertSame([0, 0], [$two->exitCode, $pool->exitCode], $two->err . $pool->err);
        $paths = self::paths($two->out);
        self::assertSame(['main();first;wait;sleep', 'main();second;wait;sleep'], array_keys($paths));
        self::assertStringContainsString(': ' . array_sum($paths) . ' samples, ', $two->err);
        self::assertCount(3, self::paths($pool->out), $pool->out);
    }

    public function testStoppedForEachSampleNothingIsDropped(): void
    {
        $pid = $this->target(self::CALLS);

        $result = $this->inspect(['trace', '-p', (string) $pid, '--rate=200', '--for=1', '--stop']);

        self::assertSame(0, $result->exitCode, $result->err);
        self::assertStringContainsString(' 0 dropped', $result->err);
        self::assertArrayHasKey('main();Worker::outer;Worker::inner;usleep', self::paths($result->out), $result->out);
    }

    public function testLinesAreThoseOfPhpspy(): void
    {
        $pid = $this->target(<<<'PHP'
            function inner(): void
            {
                wait();
            }
            inner();
            PHP);
        $file = "$this->folder/target0.php";

        $result = $this->inspect(['trace', '-p', (string) $pid, '--rate=20', '--for=0.3', '--format=lines']);

        self::assertSame(0, $result->exitCode, $result->err);
        $sample = "0 sleep <internal>:-1\n1 wait $file:3\n2 inner $file:7\n3 <main> $file:9\n\n";
        self::assertStringStartsWith($sample, $result->out);
        self::assertSame('', trim(str_replace($sample, '', $result->out)));
    }

    /** Functions that the engine calls without a frame (8.4) are there as before. */
    public function testFunctionsWithoutAFrame(): void
    {
        $waits = $this->target(<<<'PHP'
            class Slow { public function __toString(): string { wait(); return ''; } }
            function joins(array $parts): string { return implode(',', $parts); }
            joins(['a', new Slow()]);
            PHP);
        $runs = $this->target(<<<'PHP'
            function replaces(string $text): string { return str_replace(['ab', 'x'], ['c', 'y'], $text); }
            function counts(): int { for ($i = 0; $i < 20_000_000; $i++) {} return $i; }
            $text = str_repeat('abababxabacab', 100_000);
            replaces('x');
            ready();
            while (true) { replaces($text); strpos($text, 'x'); counts(); }
            PHP);

        $waiting = $this->inspect(['trace', '-p', (string) $waits, '--rate=20', '--for=0.3']);
        $running = $this->inspect(['trace', '-p', (string) $runs, '--rate=100', '--for=4', '--stop']);

        self::assertSame(['main();joins;implode;Slow::__toString;wait;sleep'], array_keys(self::paths($waiting->out)));
        $paths = self::paths($running->out);
        self::assertGreaterThan(0, $paths['main();replaces;str_replace'] ?? 0, $running->out);
        self::assertGreaterThan(0, $paths['main();counts'] ?? 0, $running->out);
        // Nothing of it is its caller's, nor what its caller does afterwards its own.
        $known = $paths['main();replaces;str_replace'] + $paths['main();counts'];
        self::assertGreaterThan(0.9 * array_sum($paths), $known, $running->out);
    }

    public function testDepthKeepsTheInnermostCalls(): void
    {
        $pid = $this->target('function dive(int $n): void { $n > 0 ? dive($n - 1) : wait(); } dive(3000);');

        $cut = $this->inspect(['trace', '-p', (string) $pid, '--rate=20', '--for=0.3', '--depth=3']);
        $whole = $this->inspect(['trace', '-p', (string) $pid, '--rate=20', '--for=0.3', '--depth=8000']);

        self::assertSame(['main();(truncated);dive;wait;sleep'], array_keys(self::paths($cut->out)));
        self::assertSame(['main();' . str_repeat('dive;', 3001) . 'wait;sleep'], array_keys(self::paths($whole->out)));
    }

    /** Hundreds of thousands of calls a second: the memory changes while it is read. */
    public function testFastCallsAreNotMixedUp(): void
    {
        $pid = $this->target(<<<'PHP'
            class A
            {
                function run(int $n): void { for ($i = 0; $i < $n; $i++) { $this->left($i); $this->right($i); } }
                function left(int $i): int { return $this->deep($i) + strlen('abc'); }
                function right(int $i): string { return md5((string) $i); }
                function deep(int $i): int { return max($i, 2); }
            }
            ready();
            $end = microtime(true) + 120;
            while (microtime(true) < $end) {
                (new A())->run(1000);
            }
            PHP);
        $possible = ['main()', 'main();microtime'];
        foreach (['', ';A::left', ';A::left;A::deep', ';A::left;A::deep;max', ';A::right', ';A::right;md5'] as $rest) {
            $possible[] = "main();A::run$rest";
        }

        $result = $this->inspect(['trace', '-p', (string) $pid, '--rate=1000', '--for=2']);

        $paths = self::paths($result->out);
        $wrong = array_sum(array_diff_key($paths, array_flip($possible)));
        self::assertGreaterThan(50, array_sum($paths));
        self::assertLessThan(0.05 * array_sum($paths), $wrong, $result->out);
        self::assertArrayHasKey('main();A::run;A::right;md5', $paths);
    }

    public function testResultsAreWrittenAfterASignal(): void
    {
        $pid = $this->target('ready(); while (true) { echo "."; usleep(10_000); }');
        $name = "$this->folder/trace";
        $trace = $this->start([self::program(), 'trace', '-p', (string) $pid, '-o', "$name.folded"], $name);
        $this->untilItHasSamples($trace);

        proc_terminate($trace, SIGINT);
        $result = $this->finish($trace, $name);

        self::assertSame(0, $result->exitCode, $result->err);
        self::assertArrayHasKey('main();usleep', self::paths((string) file_get_contents("$name.folded")));
        self::assertSame(0600, fileperms("$name.folded") & 0777);
        $this->assertGoesOn(0);
    }

    /**
     * The inspector sleeps before each sample.
     *
     * @param resource $trace
     */
    private function untilItHasSamples($trace): void
    {
        $status = '/proc/' . proc_get_status($trace)['pid'] . '/status';
        $sleeps = '/^voluntary_ctxt_switches:\s+(\d+)/m';
        $this->eventually(
            static fn (): bool => preg_match($sleeps, (string) @file_get_contents($status), $match) === 1 && (int) $match[1] > 50,
            'the inspector takes no samples',
        );
    }

    public function testDeviceIsWrittenTo(): void
    {
        exec('mknod ' . escapeshellarg("$this->folder/full") . ' c 1 7 2>&1', $output, $code);
        if ($code !== 0 || @file_put_contents("$this->folder/full", '') === false) {
            self::markTestSkipped('no device can be made here: ' . implode(' ', $output));
        }
        $pid = $this->target('wait();');

        $result = $this->inspect(['trace', '-p', (string) $pid, '--for=0.1', '-o', "$this->folder/full"]);

        self::assertSame('char', filetype("$this->folder/full"));
        self::assertRefusal(1, '/cannot write .*full: No space left on device/', $result);
    }

    public function testItEndsWithTheProcess(): void
    {
        $end = "$this->folder/end";
        $wait = 'while (!file_exists(' . var_export($end, true) . ')) { usleep(20_000); clearstatcache(); }';
        $pid = $this->target("ready(); $wait");
        $name = "$this->folder/trace";
        $trace = $this->start([self::program(), 'trace', '-p', (string) $pid], $name);
        $this->untilItHasSamples($trace);

        touch($end);
        $result = $this->finish($trace, $name);

        self::assertSame(0, $result->exitCode, $result->err);
        self::assertArrayHasKey('main();usleep', self::paths($result->out));
    }

    public function testShutdownFunctionsAndDestructorsHaveNoScriptAroundThem(): void
    {
        $pid = $this->target('register_shutdown_function(function (): void { wait(); });');

        $result = $this->inspect(['trace', '-p', (string) $pid, '--rate=20', '--for=0.3', '--format=lines']);

        self::assertMatchesRegularExpression('/\A0 sleep <internal>:-1\n1 wait .+:3\n2 \{closure:.+:5\} .+:5\n\n/', $result->out);
    }

    public function testTopIsATableWhereThereIsNoTerminal(): void
    {
        $pid = $this->target(self::CALLS);

        $result = $this->inspect(['top', '-p', (string) $pid, '--rate=200', '--for=1']);

        self::assertSame(0, $result->exitCode, $result->err);
        self::assertStringContainsString("$pid  PHP " . PHP_VERSION . ' (cli)  ', $result->out);
        self::assertStringContainsString("\n$this->folder/target0.php\n", $result->out);
        self::assertMatchesRegularExpression('/^  self%  total%      self     total  function$/m', $result->out);
        self::assertMatchesRegularExpression('/^ +\d+\.\d +\d+\.\d +\d+ +\d+  usleep$/m', $result->out);
        $samples = preg_match('/^(\d+) samples, /m', $result->out, $found) === 1 ? (int) $found[1] : 0;
        self::assertGreaterThan(0, $samples);
        preg_match_all('/^ +(\d+\.\d) +(\d+\.\d) +(\d+) +(\d+)  (\S+)$/m', $result->out, $rows, PREG_SET_ORDER);
        $rows = array_column($rows, null, 5);
        // Between two naps a sample may find any function at work.
        foreach ($rows as [, $selfShare, $share, $own, $total]) {
            self::assertLessThanOrEqual((int) $total, (int) $own);
            self::assertEqualsWithDelta(100 * (int) $own / $samples, (float) $selfShare, 0.0501);
            self::assertEqualsWithDelta(100 * (int) $total / $samples, (float) $share, 0.0501);
        }
        self::assertSame($samples, (int) $rows['main()'][4]);
        self::assertLessThan((int) $rows['Worker::run'][4], (int) $rows['Worker::run'][3]);
        self::assertStringNotContainsString("\033", $result->out);
    }

    public function testTopIsLiveOnATerminal(): void
    {
        if (!is_executable('/usr/bin/script')) {
            self::markTestSkipped('there is no script(1), which makes a terminal');
        }
        $pid = $this->target(self::CALLS);
        $command = implode(' ', array_map(escapeshellarg(...), [self::program(), 'top', '-p', (string) $pid, '--for=1.2',
            '--interval=0.3']));

        $name = "$this->folder/top";
        $terminal = ['/usr/bin/script', '-qec', "stty rows 12 cols 60; $command", '/dev/null'];
        $result = $this->finish($this->start($terminal, $name), $name);

        self::assertSame(0, $result->exitCode, $result->err);
        $screens = explode("\033[H\033[2J", $result->out);
        self::assertGreaterThanOrEqual(3, count($screens));
        $lines = explode("\n", str_replace("\r", '', rtrim($screens[count($screens) - 1])));
        self::assertLessThanOrEqual(12, count($lines));
        self::assertLessThan(60, max(array_map(strlen(...), $lines)));
        self::assertStringContainsString('usleep', $result->out);
    }
}
