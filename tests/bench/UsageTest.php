<?php

declare(strict_types=1);

namespace XHProf\Tests\Bench;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

require_once __DIR__ . '/BenchProcess.php';

final class UsageTest extends TestCase
{
    /** @return iterable<string, array{list<string>, string, string}> options, PEER_SO and message */
    public static function mistakes(): iterable
    {
        $noApi = sprintf('%s/%s.so', PHP_EXTENSION_DIR, is_file(PHP_EXTENSION_DIR . '/ctype.so') ? 'ctype' : 'opcache');
        yield 'unknown option' => [['--fast'], '', 'unknown option --fast'];
        yield 'argument' => [['fib'], '', 'unknown option fib'];
        yield 'no value' => [['--rounds'], '', '--rounds needs a value'];
        yield 'a value too many' => [['--quick=1'], '', '--quick takes no value'];
        yield 'no rounds' => [['--rounds=0'], '', '--rounds must be a number'];
        yield 'unknown workload' => [['--only=fib,fub'], '', '--only: no "fub"; there are: empty function'];
        yield 'unknown mode' => [['--modes=CPU,GPU'], '', '--modes: no "GPU"; there are: bare, idle'];
        yield 'unknown state' => [['--opcache=no'], '', '--opcache: no "no"; there are: off, on, jit'];
        yield 'file that cannot be' => [['--json=/no/such/folder/x'], '', '--json: cannot write /no/such/folder/x'];
        yield 'missing peer' => [[], 'other=/no/such/file.so', 'PEER_SO: no such file: /no/such/file.so'];
        yield 'missing option peer' => [['--peer=other=/no/such.so'], '', '--peer: no such file: /no/such.so'];
        yield 'no name' => [[], '/some/file.so', 'PEER_SO must be NAME=PATH, not "/some/file.so"'];
        yield 'name taken' => [[], 'limit=README.md,own=README.md', 'PEER_SO: the name own is taken'];
        yield 'named twice' => [[], 'a=README.md a=README.md', 'PEER_SO: the name a is taken'];
        yield 'no extension' => [[], 'other=README.md', 'peer other: does not load into this PHP: '];
        if (is_file($noApi) && basename($noApi) === 'ctype.so') {
            yield 'no profiler' => [[], "other=$noApi", 'no tideways_xhprof_enable() and no memprof_enable()'];
        }
    }

    /** @param list<string> $options */
    #[DataProvider('mistakes')]
    public function testAMistakeIsReportedInOneLine(array $options, string $peers, string $message): void
    {
        $process = BenchProcess::benchmark($options, $peers);
        self::assertSame(2, $process->exitCode);
        self::assertSame('', $process->output);
        self::assertStringStartsWith('benchmarks/run.php: ', $process->errors);
        self::assertStringContainsString($message, $process->errors);
        self::assertSame(1, substr_count($process->errors, "\n"));
    }

    public function testHelpAndLists(): void
    {
        $help = BenchProcess::benchmark(['--help']);
        self::assertSame(0, $help->exitCode);
        self::assertStringContainsString('--rounds=N', $help->output);

        $list = BenchProcess::benchmark(['--list'], 'twin=extension/modules/xhprof.so');
        self::assertSame(0, $list->exitCode, $list->errors);
        $workloads = '/^workloads: empty function, .*CommonMark, large, requests, servers$/m';
        self::assertMatchesRegularExpression($workloads, $list->output);
        $modes = '/^modes: bare, idle, .*twin NO_BUILTINS, .*twin CPU\|MEMORY, twin TIMELINE$/m';
        self::assertMatchesRegularExpression($modes, $list->output);
    }

    public function testOnlyWhatIsAskedFor(): void
    {
        $file = sys_get_temp_dir() . '/xhprof-bench-' . bin2hex(random_bytes(6)) . '.json';
        $process = BenchProcess::benchmark([
            '--quick', "--json=$file", '--only=fib', '--modes=idle,twin,twin CPU', '--opcache=off',
            '--peer=twin=extension/modules/xhprof.so',
        ]);
        self::assertSame(0, $process->exitCode, $process->errors);
        $report = json_decode((string) file_get_contents($file), true);
        unlink($file);
        self::assertSame(['off'], array_keys($report['over']));
        self::assertSame(['fib'], array_keys($report['over']['off']));
        self::assertSame(['idle', 'twin idle', 'twin 0', 'twin CPU', 'twin CPU|MEMORY'], array_keys($report['over']['off']['fib']));
        self::assertSame([], $report['large']);
    }
}
