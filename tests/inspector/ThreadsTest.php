<?php

declare(strict_types=1);

namespace XHProf\Tests\Inspector;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;

require_once __DIR__ . '/InspectorTestCase.php';

/** A thread-safe PHP in a program with several threads (tools/zts/threads.c), and what pretends to be one (forged.c). */
#[Group('inspect')]
final class ThreadsTest extends InspectorTestCase
{
    private const BUILT = self::ROOT . '/build/php-zts';
    private const THREADS = 6;

    protected static function program(): string
    {
        return realpath(self::BUILT) . '/extension/modules/xhprof-inspect';
    }

    protected function setUp(): void
    {
        foreach (['threads', 'forged', 'php/bin/php', 'extension/modules/xhprof-inspect'] as $file) {
            if (!is_executable(self::BUILT . "/$file")) {
                self::markTestSkipped('no thread-safe PHP in build/ (tools/php-built.sh zts)');
            }
        }
        parent::setUp();
    }

    /**
     * Each thread runs its own request until the end of the test; the program's main thread runs none.
     *
     * @param int $late so many begin only when there is a file "late"
     */
    private function threads(int $late = 0): int
    {
        $command = [realpath(self::BUILT) . '/threads', __DIR__ . '/threads.inc', $this->folder, (string) $late];
        $environment = ['PHPRC' => $this->folder, 'PHP_INI_SCAN_DIR' => ''];
        $pid = proc_get_status($this->start($command, "$this->folder/host", $environment))['pid'];
        $this->eventually(
            fn (): bool => count(glob("$this->folder/ready*") ?: []) === self::THREADS - $late,
            fn (): string => 'the threads do not begin: ' . @file_get_contents("$this->folder/host.out"),
        );

        return $pid;
    }

    /** @return array<int, string> of `xhprof-inspect threads`: number => "idle" or "busy", and the script */
    private function listed(int $pid): array
    {
        $result = $this->inspect(['threads', '-p', (string) $pid]);
        self::assertSame([0, ''], [$result->exitCode, $result->err]);
        preg_match_all('/^ *(\d+) +(\d+)  (idle|busy.*)$/m', $result->out, $matches, PREG_SET_ORDER);
        self::assertCount(substr_count($result->out, "\n"), $matches, $result->out);
        $threads = [];
        foreach ($matches as [, $process, $thread, $state]) {
            self::assertSame((string) $pid, $process);
            $threads[(int) $thread] = $state;
        }

        return $threads;
    }

    /** @return list<int> the threads that serve, in order */
    private function serving(int $pid): array
    {
        return array_keys(array_diff($this->listed($pid), ['idle']));
    }

    public function testEachThreadIsListed(): void
    {
        $pid = $this->threads();
        $tasks = array_map(intval(...), array_values(array_diff(scandir("/proc/$pid/task") ?: [], ['.', '..'])));

        $listed = $this->listed($pid);

        self::assertSame('idle', $listed[$pid] ?? null);
        self::assertSame([], array_diff(array_keys($listed), $tasks));
        unset($listed[$pid]);
        self::assertSame(array_fill(0, self::THREADS, 'busy'), array_values($listed));
    }

    public function testATraceAddsUpAllThreads(): void
    {
        $result = $this->inspect(['trace', '-p', (string) $this->threads(), '--for=1', '--rate=50']);

        self::assertSame(0, $result->exitCode, $result->err);
        for ($i = 0; $i < self::THREADS; $i++) {
            self::assertMatchesRegularExpression("/^main\\(\\);own_$i;/m", $result->out, $result->err);
        }
    }

    public function testATraceOfOneThread(): void
    {
        $pid = $this->threads();
        $seen = [];
        foreach ($this->serving($pid) as $thread) {
            $result = $this->inspect(['trace', '-p', (string) $pid, "--thread=$thread", '--for=0.3']);
            preg_match_all('/\bown_\d+/', $result->out, $matches);
            $own = array_values(array_unique($matches[0]));
            self::assertCount(1, $own, $result->out . $result->err);
            $seen[] = $own[0];
        }

        self::assertEqualsCanonicalizing(array_map(static fn (int $i): string => "own_$i", range(0, self::THREADS - 1)), $seen);
    }

    public function testTopOfAllThreads(): void
    {
        $result = $this->inspect(['top', '-p', (string) $this->threads(), '--for=1', '--rate=50']);

        self::assertSame(0, $result->exitCode, $result->err);
        self::assertStringContainsString("\n7 threads\n", $result->out);
        for ($i = 0; $i < self::THREADS; $i++) {
            self::assertMatchesRegularExpression("/ own_$i$/m", $result->out);
        }
    }

    /**
     * A trace of all threads, each sample at once.
     *
     * @return array{resource, string} its process, and the name of its output
     */
    private function trace(int $pid): array
    {
        $name = "$this->folder/trace";
        $trace = $this->start([static::program(), 'trace', '-p', (string) $pid, '--format=lines', '--rate=50'], $name);
        $this->untilSampled('own_0');

        return [$trace, $name];
    }

    private function untilSampled(string $function): void
    {
        $seen = fn (): bool => str_contains((string) file_get_contents("$this->folder/trace.out"), " $function ");
        $this->eventually($seen, "there is no sample of $function");
    }

    public function testATraceEndsWithTheLastThread(): void
    {
        $trace = $this->trace($this->threads());
        touch("$this->folder/end");
        $result = $this->finish(...$trace);

        self::assertSame(0, $result->exitCode, $result->err);
        self::assertMatchesRegularExpression('/\d+ samples, \d+ idle, \d+ dropped/', $result->err);
    }

    public function testATraceEndsWithItsProcess(): void
    {
        $pid = $this->threads();
        $trace = $this->trace($pid);
        posix_kill($pid, SIGKILL);
        $result = $this->finish(...$trace);

        self::assertSame(0, $result->exitCode, $result->err);
        self::assertMatchesRegularExpression('/\d+ samples, \d+ idle, \d+ dropped/', $result->err);
    }

    /** One ends, the others go on. */
    public function testAThreadThatEndsIsNotReadOn(): void
    {
        $pid = $this->threads();
        $serving = $this->serving($pid);
        [$trace, $name] = $this->trace($pid);
        touch("$this->folder/end1");
        $this->eventually(fn (): bool => count($this->serving($pid)) === self::THREADS - 1, 'the thread does not end');
        // What was sampled before is written first.
        $this->written($name);
        $this->written($name);
        $after = $this->written($name);
        $this->eventually(
            static fn (): bool => str_contains((string) file_get_contents("$name.out", offset: $after), ' own_5 '),
            'the other threads are not sampled',
        );
        proc_terminate($trace, SIGINT);
        $result = $this->finish($trace, $name);

        self::assertSame(0, $result->exitCode, $result->err);
        self::assertStringNotContainsString(' own_1 ', substr($result->out, $after));
        self::assertCount(self::THREADS, $serving);
    }

    /** Waits for more output; returns its size. */
    private function written(string $name): int
    {
        $size = static function () use ($name): int {
            clearstatcache();

            return (int) filesize("$name.out");
        };
        $before = $size();
        $this->eventually(static fn (): bool => $size() > $before, 'nothing more is sampled');

        return $size();
    }

    public function testThreadsThatBeginAreSampledToo(): void
    {
        $pid = $this->threads(2);
        [$trace, $name] = $this->trace($pid);
        self::assertCount(self::THREADS - 2, $this->serving($pid));
        touch("$this->folder/late");
        $this->untilSampled('own_4');
        $this->untilSampled('own_5');
        proc_terminate($trace, SIGINT);

        self::assertSame(0, $this->finish($trace, $name)->exitCode);
    }

    /** One thread stays that thread, whatever begins. */
    public function testOneThreadStaysAlone(): void
    {
        $pid = $this->threads(1);
        $thread = $this->serving($pid)[0];
        touch("$this->folder/late");
        $result = $this->inspect(['trace', '-p', (string) $pid, "--thread=$thread", '--for=2.5']);

        preg_match_all('/\bown_\d+/', $result->out, $matches);
        self::assertCount(1, array_unique($matches[0]), $result->out . $result->err);
    }

    /** Whose objects: each thread has as many as its number says, and its heap has nothing of another. */
    public function testTheHeapOfEachThread(): void
    {
        $pid = $this->threads();
        $result = $this->inspect(['memory', '-p', (string) $pid, '--thread=all', '-o', "$this->folder/%t.heap.jsonl"]);
        self::assertSame(0, $result->exitCode, $result->err);

        $seen = [];
        foreach ($this->listed($pid) as $thread => $state) {
            $snapshot = new Snapshot("$this->folder/$thread.heap.jsonl");
            self::assertSame($snapshot->header['usage'], $snapshot->summary['usage']);
            $own = preg_grep('/^Own\d$/', array_keys($snapshot->summary['classes'])) ?: [];
            self::assertCount($state === 'idle' ? 0 : 1, $own);
            foreach ($own as $class) {
                $seen[$class] = $snapshot->summary['classes'][$class]['count'];
                self::assertStringContainsString('own_' . substr($class, 3) . ':', implode(' ', $snapshot->calls()));
            }
        }
        ksort($seen);
        self::assertSame(['Own0' => 1, 'Own1' => 2, 'Own2' => 3, 'Own3' => 4, 'Own4' => 5, 'Own5' => 6], $seen);
    }

    public function testAnImageOfOneThread(): void
    {
        $pid = $this->threads();
        $thread = $this->serving($pid)[0];
        $image = "$this->folder/image";
        $written = $this->inspect(['image', '-p', (string) $pid, "--thread=$thread", '-o', $image]);
        self::assertSame(0, $written->exitCode, $written->err);
        $now = $this->snapshot($pid, "--thread=$thread");
        $result = $this->inspect(['memory', "--image=$image", '-o', "$this->folder/later"]);
        self::assertSame(0, $result->exitCode, $result->err);

        $own = static fn (Snapshot $of): array => array_filter(
            $of->summary['classes'],
            static fn (string $class): bool => str_starts_with($class, 'Own'),
            ARRAY_FILTER_USE_KEY,
        );
        self::assertSame($own($now), $own(new Snapshot("$this->folder/later")));
        self::assertNotSame([], $own($now));
    }

    public function testAHeapNeedsAThread(): void
    {
        $pid = $this->threads();

        self::assertRefusal(
            2,
            "/process $pid has 7 threads that run PHP: name one by --thread=NUMBER, or --thread=all/",
            $this->inspect(['memory', '-p', (string) $pid]),
        );
        $other = $this->inspect(['memory', '-p', "$pid", '--thread=1']);
        self::assertRefusal(3, "/process $pid has no thread 1 that runs PHP/", $other);
        self::assertRefusal(2, '/-o FILE with %t/', $this->inspect(['memory', '-p', "$pid", '--thread=all', '-o', 'x']));
        self::assertRefusal(2, '/takes one process/', $this->inspect(['trace', '-p', "$pid,1", '--thread=1']));
        self::assertRefusal(2, '/--thread cannot be "x"/', $this->inspect(['trace', '-p', "$pid", '--thread=x']));
    }

    /** The command line has one thread: it need not be named. */
    public function testTheOnlyThread(): void
    {
        $php = realpath(self::BUILT) . '/php/bin/php';
        $pid = $this->target('final class Only {} $only = new Only(); wait();', php: $php);

        self::assertSame(1, $this->snapshot($pid)->summary['classes']['Only']['count']);
        self::assertSame([$pid], $this->serving($pid));
        $result = $this->inspect(['trace', '-p', (string) $pid, '--for=0.2']);
        self::assertArrayHasKey('main();wait;sleep', self::paths($result->out), $result->err);
    }

    /** A fork has copies of all threads' globals, and one thread. */
    public function testAFork(): void
    {
        $php = realpath(self::BUILT) . '/php/bin/php';
        $this->target('if (pcntl_fork() === 0) { $child = new ArrayObject(); wait(); } sleep(120);', php: $php);
        $pid = (int) $this->printed(0);

        self::assertSame([$pid], $this->serving($pid));
        self::assertSame(1, $this->snapshot($pid)->summary['classes']['ArrayObject']['count']);
    }

    /** @return iterable<string, array{0: int, 1: string}> exit code, and the message or the threads */
    public static function forgedLists(): iterable
    {
        $none = '/process \d+ has no thread that runs PHP/';
        yield 'whole' => [0, "idle\nidle\n"];
        yield 'own-follower' => [0, "idle\nidle\n"];
        yield 'circle' => [0, "idle\nidle\n"];
        yield 'shared-chains' => [0, "idle\nidle\n"];
        yield 'same-numbers' => [0, "idle\n"];
        yield 'wild-sapi' => [0, "busy\nbusy\n"];
        yield 'endless' => [10, '/the list of threads of process \d+ cannot be read: it has more than 1024/'];
        yield 'no-numbers' => [3, $none];
        yield 'no-count' => [3, $none];
        yield 'huge-count' => [3, $none];
        yield 'zero-ids' => [3, $none];
        yield 'huge-ids' => [3, $none];
        yield 'wild-storage' => [3, $none];
        yield 'wild-entry' => [3, $none];
        yield 'wild-offsets' => [6, '/whose structures differ/'];
        yield 'variables-at-the-end' => [3, $none];
        yield 'variables-everywhere' => [3, $none];
        yield 'misleading-variables' => [3, $none];
    }

    /** The process chooses what is read: that ends, with a line. */
    #[DataProvider('forgedLists')]
    public function testAForgedList(int $code, string $expected): void
    {
        $pid = $this->forged((string) $this->dataName());
        $result = $this->inspect(['threads', '-p', (string) $pid]);

        if ($code !== 0) {
            self::assertRefusal($code, $expected, $result);
        } else {
            self::assertSame([0, ''], [$result->exitCode, $result->err]);
            self::assertSame($expected, preg_replace('/^ *\d+ +\d+  /m', '', $result->out));
        }
    }

    /** Some words of the list at random: each command ends with a code of its own. SEED=n begins with other ones. */
    public function testRandomLists(): void
    {
        $first = (int) (getenv('SEED') ?: 1);
        for ($seed = $first; $seed < $first + 60; $seed++) {
            $pid = (string) $this->forged('random', (string) $seed);
            $commands = [['threads'], ['trace', '--for=0.05'], ['top', '--for=0.05'], ['memory', '--thread=all', '-o', '%t.jsonl']];
            foreach ($commands as $command) {
                $result = $this->inspect([...$command, '-p', $pid]);
                $what = "SEED=$seed $command[0]: $result->exitCode $result->err";
                self::assertContains($result->exitCode, [0, 3, 6, 8, 10], $what);
                self::assertMatchesRegularExpression('/\A(xhprof-inspect: [^\n]+\n)*\z/', $result->err, $what);
            }
        }
    }

    private function forged(string ...$arguments): int
    {
        $name = "$this->folder/forged" . bin2hex(random_bytes(4));
        $process = $this->start([realpath(self::BUILT) . '/forged', ...array_values($arguments)], $name);
        $this->eventually(
            static fn (): bool => @file_get_contents("$name.out") === "ready\n",
            static fn (): string => 'no process: ' . @file_get_contents("$name.err"),
        );

        return proc_get_status($process)['pid'];
    }

    /** The other PHP has other structures. */
    public function testPhpWithoutThreads(): void
    {
        $pid = (string) $this->target('wait();');
        foreach (['memory', 'trace', 'top', 'threads'] as $command) {
            self::assertRefusal(
                7,
                "/process $pid runs PHP 8\\.\\d+\\.\\d+, which is not thread-safe; this xhprof-inspect is built for one that is/",
                $this->inspect([$command, '-p', $pid]),
            );
        }
    }
}
