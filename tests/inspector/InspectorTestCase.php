<?php

declare(strict_types=1);

namespace XHProf\Tests\Inspector;

use PHPUnit\Framework\TestCase;
use XHProf\Tests\Bin\ProcessResult;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/../bin/ProcessResult.php';
require_once __DIR__ . '/../lib/Support/TemporaryFolder.php';
require_once __DIR__ . '/Snapshot.php';

/** Runs xhprof-inspect on PHP processes that the test starts. */
abstract class InspectorTestCase extends TestCase
{
    use TemporaryFolder;

    protected const ROOT = __DIR__ . '/../..';

    /** Rights that a system may refuse: reading another process, stopping it. */
    private const REFUSED = [4, 9];

    /** @var list<resource> */
    private array $processes = [];
    private int $targets = 0;

    private static ?string $missing = null;
    private static bool $isChecked = false;

    protected function setUp(): void
    {
        if (!self::$isChecked) {
            self::$missing = $this->missing();
            self::$isChecked = true;
            $this->targets = 0;
        }
        if (self::$missing !== null) {
            self::markTestSkipped(self::$missing);
        }
    }

    protected function tearDown(): void
    {
        // The parent sees the end of a traced process only after its tracer has ended.
        $processes = array_filter(array_reverse($this->processes), is_resource(...));
        foreach ($processes as $process) {
            if (proc_get_status($process)['running']) {
                proc_terminate($process, SIGKILL);
            }
        }
        array_map(proc_close(...), $processes);
        $this->processes = [];
    }

    /** The reason why nothing can be tested here, or null. */
    private function missing(): ?string
    {
        if (!is_executable(static::program())) {
            return 'extension/modules/xhprof-inspect is not built (make build)';
        }
        if (PHP_ZTS) {
            return 'this PHP is thread-safe';
        }
        if (!is_readable('/proc/self/stat')) {
            return 'there is no /proc here';
        }
        $result = $this->inspect(['memory', '-p', (string) $this->target('wait();'), '-o', "$this->folder/try"]);

        return in_array($result->exitCode, self::REFUSED, true) ? trim($result->err) : null;
    }

    protected static function program(): string
    {
        return getenv('XHPROF_INSPECT') ?: realpath(self::ROOT) . '/extension/modules/xhprof-inspect';
    }

    /**
     * Starts a PHP that runs this code until it reports that it is ready: by wait(), which stops there, or ready(), which goes on.
     *
     * @param list<string> $settings as "name=value"
     * @param array<string, string> $environment in addition
     * @param list<string> $prefix a command that runs it
     * @return int its process
     */
    protected function target(
        string $code,
        array $settings = [],
        array $environment = [],
        array $prefix = [],
        string $php = PHP_BINARY,
    ): int {
        $number = $this->targets++;
        $script = "$this->folder/target$number.php";
        // It ends by itself if the test does not end it.
        file_put_contents($script, <<<PHP
            <?php
            function ready(): void { echo getmypid(), " ", memory_get_usage(), "\\n"; }
            function wait(): void { ready(); sleep(120); }
            set_error_handler(null);
            $code
            PHP);
        $command = [...$prefix, $php, '-n', '-d', 'display_errors=stderr'];
        foreach ($settings as $setting) {
            array_push($command, '-d', $setting);
        }
        $this->start([...$command, $script], "$this->folder/target$number", $environment);
        $this->eventually(
            fn (): bool => preg_match('/^\d+ \d+$/m', $this->printed($number)) === 1,
            fn (): string => "the target has not begun: {$this->printed($number)}"
                . (string) @file_get_contents("$this->folder/target$number.err"),
        );

        $pid = (int) $this->printed($number);
        if (str_contains($code, 'wait();')) {
            $this->eventually(fn (): bool => self::state($pid) === 'S', 'the target does not wait');
        }

        return $pid;
    }

    /** The output of a target; its first line has its process and its memory_get_usage(). */
    protected function printed(int $target = 0): string
    {
        return (string) @file_get_contents("$this->folder/target$target.out");
    }

    /**
     * Starts a process whose output goes to NAME.out and NAME.err.
     *
     * @param list<string> $command
     * @param array<string, string> $environment in addition
     * @return resource
     */
    protected function start(array $command, string $name, array $environment = [], ?string $output = null)
    {
        $descriptors = [
            ['file', '/dev/null', 'r'],
            ['file', $output ?? "$name.out", 'w'],
            ['file', "$name.err", 'w'],
        ];
        $process = proc_open($command, $descriptors, $pipes, $this->folder, $environment + ['LC_ALL' => 'C.UTF-8'] + getenv());
        self::assertIsResource($process);
        $this->processes[] = $process;

        return $process;
    }

    /**
     * @param list<string> $arguments
     * @param list<string> $prefix a command that runs it
     */
    protected function inspect(array $arguments, array $prefix = []): ProcessResult
    {
        $name = "$this->folder/inspect" . count($this->processes);

        return $this->finish($this->start([...$prefix, static::program(), ...$arguments], $name), $name);
    }

    /** @param resource $process */
    protected function finish($process, string $name): ProcessResult
    {
        $status = proc_get_status($process);
        $deadline = microtime(true) + 90;
        while ($status['running'] && microtime(true) < $deadline) {
            usleep(5000);
            $status = proc_get_status($process);
        }
        self::assertFalse($status['running'], 'xhprof-inspect does not end');

        return new ProcessResult(
            $status['signaled'] ? -$status['termsig'] : $status['exitcode'],
            (string) @file_get_contents("$name.out"),
            (string) @file_get_contents("$name.err"),
        );
    }

    /** A snapshot of a process, written without an error. */
    protected function snapshot(int $pid, string ...$options): Snapshot
    {
        $file = "$this->folder/" . count($this->processes) . '.heap.jsonl';
        $result = $this->inspect(['memory', '-p', (string) $pid, '-o', $file, ...array_values($options)]);
        self::assertSame(0, $result->exitCode, $result->err);

        return new Snapshot($file);
    }

    protected static function assertRefusal(int $code, string $pattern, ProcessResult $result): void
    {
        self::assertMatchesRegularExpression('/\Axhprof-inspect: [^\n]+\n\z/', $result->err);
        self::assertMatchesRegularExpression($pattern, $result->err);
        self::assertSame($code, $result->exitCode, $result->err);
        self::assertSame('', $result->out);
    }

    /** Waits for an event that may take a busy machine a while. */
    protected function eventually(\Closure $condition, \Closure|string $message): void
    {
        $deadline = microtime(true) + 60;
        while (!$condition()) {
            if (microtime(true) > $deadline) {
                self::fail($message instanceof \Closure ? $message() : $message);
            }
            usleep(5000);
        }
    }

    /** 'R', 'S', 't' (stopped by a tracer) ...; '' when there is no such process. */
    protected static function state(int $pid): string
    {
        $stat = (string) @file_get_contents("/proc/$pid/stat");
        $end = strrpos($stat, ')');

        return $end === false ? '' : substr($stat, $end + 2, 1);
    }

    /** Checks that the process is running, still or again. */
    protected function assertGoesOn(int $target): void
    {
        $before = strlen($this->printed($target));
        $this->eventually(fn (): bool => strlen($this->printed($target)) > $before, 'the target does not go on');
    }

    /**
     * @return array<string, int> samples by path
     */
    protected static function paths(string $folded): array
    {
        $paths = [];
        foreach (explode("\n", trim($folded)) as $line) {
            self::assertMatchesRegularExpression('/\A\S.* \d+\z/', $line);
            $paths[substr($line, 0, (int) strrpos($line, ' '))] = (int) substr($line, (int) strrpos($line, ' ') + 1);
        }

        return $paths;
    }
}
