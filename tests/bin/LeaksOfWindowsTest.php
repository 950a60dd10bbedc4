<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

require_once __DIR__ . '/CliTestCase.php';

/**
 * `xhprof leaks --from`: workers of known behaviour, from the extension to the report. Their windows follow a clock of their own.
 */
final class LeaksOfWindowsTest extends CliTestCase
{
    private const WINDOWS = 8;
    private const JOBS = 250;

    /** A worker: a leak of 640 bytes per job in one route, a cache of 200 entries in both, a table of 150 rows in the other. */
    private const WORKER = <<<'PHP'
        <?php
        final class Log {
            public static array $lines = [];
            public static function add(): void { self::$lines[] = str_repeat('x', 600); }
        }
        final class Cache {
            public static array $entries = [];
            public static function put(string $key): void {
                self::$entries[$key] = str_repeat('y', 3000);
                if (count(self::$entries) > 200) { unset(self::$entries[array_key_first(self::$entries)]); }
            }
        }
        final class Rows {
            public static array $rows = [];
            public static function get(int $key): string { return self::$rows[$key] ??= str_repeat('z', 9000); }
        }
        function order(int $i): string { Log::add(); Cache::put("order $i"); return str_repeat('a', 50_000); }
        function user(int $i): string { Cache::put("user $i"); return Rows::get($i % 150); }
        $answers = [];
        for ($window = 0; $window < (int) $argv[1]; $window++) {
            for ($i = 0; $i < (int) $argv[2]; $i++) {
                foreach (['orders' => order(...), 'users' => user(...)] as $route => $job) {
                    xhprof_begin_span($route);
                    $answer = $job($window * (int) $argv[2] + $i);
                    xhprof_end_span();
                    $answers[] = $answer; // sent later
                    if (count($answers) > 8) { array_shift($answers); }
                }
            }
            file_put_contents(getenv('XHPROF_TEST_CLOCK'), (string) (file_get_contents(getenv('XHPROF_TEST_CLOCK')) + 60_000));
        }
        PHP;

    public function testALeakIsFoundBesideCaches(): void
    {
        $found = $this->work(1);
        self::assertSame(self::WINDOWS, $found['windows']);
        self::assertSame(0, $found['unfollowed']);
        // The first 16 jobs and the last 16 are not followed.
        self::assertSame(2 * self::WINDOWS * self::JOBS - 32, $found['requests']);
        $this->assertOneLeak($found);
    }

    /** Each has a heap, caches and a leak of its own; their windows are one. */
    public function testTwoProcessesAreOne(): void
    {
        $found = $this->work(2);
        self::assertSame(2 * (2 * self::WINDOWS * self::JOBS - 32), $found['requests']);
        $this->assertOneLeak($found);
    }

    public function testARouteWithoutALeakHasNone(): void
    {
        $this->work(1);
        $users = $this->xhprof(['leaks', '--route=users', '--json'])->json();
        self::assertSame([], $users['findings']);
        self::assertNotSame([], $users['paths']);
        self::assertNotContains('grows', array_column($users['paths'], 'verdict'));
        $late = $this->xhprof(['leaks', '--from=2100-01-01', '--json'])->json();
        self::assertSame([0, []], [$late['windows'], $late['paths']]);
    }

    /** @param array<mixed> $found */
    private function assertOneLeak(array $found): void
    {
        // The list of the lines grows too, by 16 bytes for each: a few samples, of which chance makes some verdict.
        $isOther = static fn (array $path): bool => $path['path'] !== ['Log::add', 'order'];
        $others = array_filter($found['paths'], $isOther);
        $grows = array_values(array_filter($others, static fn (array $path): bool => $path['verdict'] === 'grows'));
        self::assertCount(1, $grows, (string) json_encode($grows));
        self::assertSame(['orders', ['str_repeat', 'Log::add', 'order']], [$grows[0]['route'], $grows[0]['path']]);
        // 1,984 jobs and a sample per 4 KB: 310 samples, so that 40 % off are 7 sigma.
        self::assertEqualsWithDelta(640, $grows[0]['bytes_per_request'], 256);
        self::assertSame('steady', $found['findings'][0]['trend']);
        self::assertSame($grows[0]['bytes_per_request'], $found['findings'][0]['bytes_per_request']);
        $of = static function (string $function) use ($found): array {
            // Its entries: the list of them is let go when it grows, which samples may show.
            $entries = static fn (array $path): bool => array_slice($path['path'], 0, 2) === ['str_repeat', $function];
            $paths = array_filter($found['paths'], $entries);

            return array_values(array_unique(array_column($paths, 'verdict')));
        };
        self::assertSame(['let go'], $of('Cache::put'));
        self::assertSame(['filled'], $of('Rows::get'));
    }

    /** @return array<mixed> what the command says of all windows of this many workers */
    private function work(int $processes): array
    {
        self::needExtension();
        if (getenv('XHPROF_DEV') === false && !str_contains((string) file_get_contents($this->module()), 'XHPROF_TEST_CLOCK')) {
            self::markTestSkipped('needs the clock of a development build');
        }
        is_dir("$this->folder/runs") || mkdir("$this->folder/runs");
        for ($i = 0; $i < $processes; $i++) {
            $clock = "$this->folder/clock";
            file_put_contents($clock, (string) (intdiv(time(), 3600) * 3_600_000));
            $command = [PHP_BINARY, '-d', "extension={$this->module()}"];
            $settings = [
                'mode=aggregate', 'flush_seconds=60', "output_dir=$this->folder/runs", 'alloc_sample_bytes=4096',
            ];
            foreach ($settings as $setting) {
                array_push($command, '-d', "xhprof.$setting");
            }
            $worker = $this->script(substr(self::WORKER, strlen('<?php')));
            $command = [...$command, $worker, (string) self::WINDOWS, (string) self::JOBS];
            $result = $this->process($command, '', ['XHPROF_TEST_CLOCK' => $clock]);
            self::assertSame([0, '', ''], [$result->exitCode, $result->out, $result->err]);
        }

        return $this->xhprof(['leaks', '--from=2020-01-01', '--limit=0', '--json'])->json();
    }

    private function module(): string
    {
        return self::ROOT . '/extension/modules/xhprof.so';
    }
}
