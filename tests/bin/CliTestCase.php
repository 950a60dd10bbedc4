<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use PHPUnit\Framework\TestCase;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/ProcessResult.php';
require_once __DIR__ . '/../lib/Support/TemporaryFolder.php';

/**
 * Runs bin/xhprof as a user does: in a process of its own, with its own run folder. XHPROF_BIN names another file to run: a phar
 * with the extension beside it, as `tools/phar.sh check` does.
 */
abstract class CliTestCase extends TestCase
{
    use TemporaryFolder;

    protected const ROOT = __DIR__ . '/../..';

    protected function setUp(): void
    {
        mkdir("$this->folder/runs", 0700);
    }

    /** The absolute path of what is tested. */
    protected static function program(): string
    {
        $named = (string) getenv('XHPROF_BIN');
        $path = realpath($named === '' ? self::ROOT . '/bin/xhprof' : $named);

        return $path === false ? self::fail("XHPROF_BIN: $named does not exist") : $path;
    }

    /** Whether it is the file of a checkout: others have no sources and no compiler's output around them. */
    protected static function isCheckout(): bool
    {
        return self::program() === realpath(self::ROOT . '/bin/xhprof');
    }

    /**
     * @param list<string>         $arguments of xhprof
     * @param array<string, string> $environment in addition
     */
    protected function xhprof(array $arguments, string $input = '', array $environment = []): ProcessResult
    {
        return $this->process([PHP_BINARY, self::program(), ...$arguments], $input, $environment);
    }

    /**
     * @param list<string>          $command
     * @param array<string, string> $environment in addition
     */
    protected function process(array $command, string $input = '', array $environment = []): ProcessResult
    {
        $process = $this->start($command, $environment, $input);
        $deadline = microtime(true) + 60;
        do {
            $status = proc_get_status($process);
            if (!$status['running']) {
                break;
            }
            usleep(2000);
        } while (microtime(true) < $deadline);
        if ($status['running']) {
            proc_terminate($process, 9);
            self::fail('the process did not end: ' . implode(' ', $command));
        }

        return new ProcessResult(
            $status['signaled'] ? -$status['termsig'] : $status['exitcode'],
            (string) file_get_contents("$this->folder/stdout"),
            (string) file_get_contents("$this->folder/stderr"),
        );
    }

    /**
     * Starts without waiting; prints go to the files stdout and stderr of the folder.
     *
     * @param list<string>          $command
     * @param array<string, string> $environment in addition
     * @return resource
     */
    protected function start(array $command, array $environment = [], string $input = '')
    {
        file_put_contents("$this->folder/stdin", $input);
        $descriptors = [
            ['file', "$this->folder/stdin", 'r'],
            ['file', "$this->folder/stdout", 'w'],
            ['file', "$this->folder/stderr", 'w'],
        ];
        $process = proc_open($command, $descriptors, $pipes, null, $environment + $this->environment());
        self::assertIsResource($process);

        return $process;
    }

    /** @return array<string, string> */
    protected function environment(): array
    {
        $environment = [
            'LC_ALL' => 'C.UTF-8',
            'XDEBUG_MODE' => 'off',
            'XHPROF_OUTPUT_DIR' => "$this->folder/runs",
        ];

        return $environment + array_diff_key(getenv(), ['COLUMNS' => 1, 'LINES' => 1, 'SHELL_VERBOSITY' => 1]);
    }

    /** Writes a PHP script and returns its path. */
    protected function script(string $code, string $name = 'script.php'): string
    {
        $file = "$this->folder/$name";
        file_put_contents($file, "<?php\n$code\n");

        return $file;
    }

    protected function store(): RunFolder
    {
        return new RunFolder("$this->folder/runs");
    }

    /** Skips a test that needs the built extension; most make their runs themselves. */
    protected static function needExtension(): void
    {
        if (!is_file(self::ROOT . '/extension/modules/xhprof.so') && !function_exists('xhprof_save')) {
            self::markTestSkipped('extension/modules/xhprof.so is not built (make build)');
        }
    }

    /** An action that failed: exit code 1. */
    protected static function assertOneLineError(string $expected, ProcessResult $result, int $exitCode = 1): void
    {
        self::assertMatchesRegularExpression('/\Axhprof: [^\n]+\n\z/', $result->err);
        self::assertStringContainsString($expected, $result->err);
        self::assertSame($exitCode, $result->exitCode, $result->err);
        self::assertSame('', $result->out);
    }

    /** A wrong command line: exit code 2. */
    protected static function assertUsageError(string $expected, ProcessResult $result): void
    {
        self::assertOneLineError($expected, $result, 2);
    }

    /** @return int columns of the widest line */
    protected static function widestLine(string $text): int
    {
        return max(array_map(static fn (string $line): int => mb_strwidth($line, 'UTF-8'), explode("\n", $text)));
    }

    /** Skips the test where there is no Python. */
    protected static function needsPython(): void
    {
        if (trim((string) shell_exec('command -v python3')) === '') {
            self::markTestSkipped('python3 is not installed');
        }
    }
}
