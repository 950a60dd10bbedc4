<?php

declare(strict_types=1);

namespace XHProf\Tests\Inspector;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use XHProf\Tests\Bin\ProcessResult;
use XHProf\Tools\Servers\PhpFpm;
use XHProf\Tools\Servers\Programs;

require_once __DIR__ . '/InspectorTestCase.php';
require_once __DIR__ . '/../../tools/servers/autoload.php';

/** Processes of all kinds, and the messages for those that cannot be read. */
#[Group('inspect')]
final class TargetsTest extends InspectorTestCase
{
    /** @return iterable<string, array{list<string>, string}> */
    public static function wrongOptions(): iterable
    {
        yield 'nothing' => [[], '/missing command: memory, trace, top, image or threads/'];
        yield 'no such command' => [['heap'], '/no command "heap"/'];
        yield 'no process' => [['trace'], '/-p PID is missing/'];
        yield 'no process or command' => [['memory'], '/no process is named: -p PID, -P POOL, --image=FILE, or -- COMMAND/'];
        yield 'two' => [['memory', '-p', '1', '--image=x'], '/no process is named: -p PID/'];
        yield 'no number' => [['trace', '-p', '12x'], '/--pid cannot be "12x"/'];
        yield 'no number among several' => [['memory', '-p', '1,,2'], '/--pid cannot be "1,,2"/'];
        yield 'several to one output' => [['memory', '-p', '1,2', '-o', 'x'], '/need -o FILE with %p/'];
        yield 'a pool to a terminal' => [['memory', '-P', 'php'], '/need -o FILE with %p/'];
        yield 'image of several' => [['image', '-p', '1', '-p', '2', '-o', 'x'], '/need -o FILE with %p/'];
        yield 'top of several' => [['top', '-p', '1,2'], '/top takes one process; trace adds up several/'];
        yield 'top of a pool' => [['top', '-P', 'php'], '/top has no option --pool/'];
        yield 'rate' => [['trace', '-p', '1', '--rate=5000'], '/--rate cannot be "5000"/'];
        yield 'format' => [['memory', '-p', '1', '--format=folded'], '/--format cannot be "folded"/'];
        yield 'other command' => [['trace', '-p', '1', '--redact'], '/trace has no option --redact/'];
        yield 'unknown' => [['trace', '--frobnicate'], '/unknown option "--frobnicate"/'];
        yield 'value missing' => [['trace', '-p'], '/a value is missing after "-p"/'];
        yield 'word' => [['memory', 'php'], '/"php" is not an option; put -- before a command/'];
        yield 'half' => [['memory', '-p', '1', '--memory-limit-error-line=1'], '/belong together/'];
        yield 'image to a terminal' => [['image', '-p', '1'], '/-o FILE is missing/'];
        yield 'two outputs' => [['memory', '--', 'php'], '/standard output is the command/'];
    }

    /** @param list<string> $arguments */
    #[DataProvider('wrongOptions')]
    public function testWrongOptions(array $arguments, string $pattern): void
    {
        self::assertRefusal(2, $pattern, $this->inspect($arguments));
    }

    /** Each command's help has its own options, all of them, and fits a terminal. */
    public function testHelp(): void
    {
        $own = [
            'memory' => ['--memory-limit-error-file', '--redact', '--max-copy', '--no-stop', '--pool', '--after', '--thread'],
            'trace' => ['--rate', '--depth', '--stop', '--pool', '--thread'],
            'top' => ['--rate', '--depth', '--stop', '--interval', '--thread'],
            'image' => ['--max-copy', '--pool', '--no-stop', '--thread'],
            'threads' => ['--pool'],
        ];
        $options = array_unique(array_merge(...array_values($own)));
        foreach ($own as $command => $has) {
            $result = $this->inspect([$command, '--help']);

            self::assertSame([0, ''], [$result->exitCode, $result->err]);
            $shown = array_filter($options, static fn (string $option): bool => preg_match("/$option\\b/", $result->out) === 1);
            self::assertEqualsCanonicalizing($has, array_values($shown), $result->out);
            self::assertLessThanOrEqual(80, max(array_map(strlen(...), explode("\n", $result->out))));
            self::assertSame($result->out, $this->inspect(['help', $command])->out);
        }
        foreach (['--help', 'help', '-h'] as $word) {
            $result = $this->inspect([$word]);

            self::assertSame([0, ''], [$result->exitCode, $result->err]);
            self::assertStringContainsString('Exit codes: ', $result->out);
            self::assertLessThanOrEqual(80, max(array_map(strlen(...), explode("\n", $result->out))));
        }
    }

    public function testVersion(): void
    {
        $version = trim((string) file_get_contents(self::ROOT . '/extension/VERSION'));

        self::assertMatchesRegularExpression(
            '/\Axhprof-inspect ' . preg_quote($version) . ', for PHP ' . preg_quote(PHP_VERSION) . ' \(API\d+,\w+\)\n\z/',
            $this->inspect(['--version'])->out,
        );
    }

    public function testNoSuchProcess(): void
    {
        $pid = (int) file_get_contents('/proc/sys/kernel/pid_max'); // the first number that no process has
        foreach (['trace', 'top', 'memory'] as $command) {
            self::assertRefusal(3, "/there is no process $pid/", $this->inspect([$command, '-p', (string) $pid]));
        }
    }

    public function testNotPhp(): void
    {
        $sleep = $this->start(['/bin/sleep', '100'], "$this->folder/sleep");
        $pid = proc_get_status($sleep)['pid'];
        $this->eventually(fn (): bool => str_contains((string) file_get_contents("/proc/$pid/cmdline"), '/bin/sleep'), 'no sleep');

        self::assertRefusal(5, "/process $pid is not PHP: .*sleep 100/", $this->inspect(['memory', '-p', (string) $pid]));
    }

    public function testHeapOfMalloc(): void
    {
        $pid = $this->target('wait();', environment: ['USE_ZEND_ALLOC' => '0']);

        $result = $this->inspect(['memory', '-p', (string) $pid]);

        self::assertRefusal(10, '/heap of process \d+ cannot be read: .*USE_ZEND_ALLOC=0/', $result);
        self::assertSame(0, $this->inspect(['trace', '-p', (string) $pid, '--for=0.1'])->exitCode);
    }

    public function testNoPermission(): void
    {
        if (posix_geteuid() !== 0 || !is_executable('/usr/bin/setpriv')) {
            self::markTestSkipped('only root, with setpriv(1), can be somebody else');
        }
        $pid = $this->target('wait();');
        // Other users may not be able to reach the program.
        copy(self::program(), "$this->folder/program");
        chmod("$this->folder/program", 0755);
        chmod($this->folder, 0711);
        $name = "$this->folder/denied";

        $process = $this->start(['/usr/bin/setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--inh-caps=-all',
            "$this->folder/program", 'memory', '-p', (string) $pid], $name);

        $pattern = "/no permission to read the memory of process $pid \\(root\\): it needs root or CAP_SYS_PTRACE/";
        self::assertRefusal(4, $pattern, $this->finish($process, $name));
    }

    public function testProgramThatIsNoLongerThere(): void
    {
        copy(PHP_BINARY, "$this->folder/php");
        chmod("$this->folder/php", 0755);
        $pid = $this->target('$x = new ArrayObject(); wait();', php: "$this->folder/php");
        unlink("$this->folder/php");

        self::assertSame(1, $this->snapshot($pid)->summary['classes']['ArrayObject']['count']);
    }

    /** Like in a container: it has its own file system, with the only PHP. */
    public function testProcessInAnotherMountNamespace(): void
    {
        exec('unshare --mount true 2>&1', $output, $code);
        if (posix_geteuid() !== 0 || $code !== 0) {
            self::markTestSkipped('no mount namespace can be made here: ' . implode(' ', $output));
        }
        mkdir("$this->folder/inside");
        $copy = 'mount -t tmpfs none "$0" && cp "$1" "$0/php" && shift && exec "$0/php" "$@"';

        $pid = $this->target(
            '$x = new ArrayObject(); wait();',
            prefix: ['unshare', '--mount', 'sh', '-c', $copy, "$this->folder/inside"],
        );

        self::assertFileDoesNotExist("$this->folder/inside/php");
        self::assertSame(1, $this->snapshot($pid)->summary['classes']['ArrayObject']['count']);
        self::assertSame(0, $this->inspect(['trace', '-p', (string) $pid, '--for=0.1'])->exitCode);
    }

    /** @return iterable<string, array{string, int, string}> */
    public static function otherPhps(): iterable
    {
        yield 'of another version' => [
            '/opt/php84-nts-debug/bin/php', 6, '/runs PHP 8\.4\.\d+, whose structures differ from those of/',
        ];
        yield 'thread-safe' => [self::ROOT . '/build/php-zts/php/bin/php', 7, '/runs PHP 8\.2\.\d+, which is thread-safe/'];
    }

    #[DataProvider('otherPhps')]
    public function testOtherPhp(string $php, int $code, string $pattern): void
    {
        if (!is_executable($php) || PHP_MINOR_VERSION !== 2) {
            self::markTestSkipped("there is no $php here");
        }
        $pid = (string) $this->target('wait();', php: $php);
        foreach (['memory', 'trace', 'top', 'image'] as $command) {
            $result = $this->inspect([$command, '-p', $pid, ...($command === 'image' ? ['-o', "$this->folder/x"] : [])]);

            self::assertRefusal($code, $pattern, $result);
        }
    }

    /** Like in Apache: PHP is a library of another program. */
    public function testPhpThatIsALibrary(): void
    {
        $library = realpath(self::ROOT) . '/build/php-zts/php/lib/libphp.so';
        $python = (glob('/usr/bin/python3') ?: [''])[0];
        if (!is_file($library) || $python === '') {
            self::markTestSkipped("there is no $library here, or no python3, which loads it");
        }
        $code = "import ctypes, time; ctypes.CDLL('$library'); print(1, flush=True); time.sleep(100)";
        $name = "$this->folder/host";
        $pid = proc_get_status($this->start([$python, '-c', $code], $name))['pid'];
        $this->eventually(fn (): bool => (string) file_get_contents("$name.out") !== '', 'the library is not loaded');

        $result = $this->inspect(['trace', '-p', (string) $pid]);

        self::assertRefusal(7, "/process $pid runs PHP 8\\.2\\.\\d+, which is thread-safe/", $result);
    }

    public function testPhpOfAnotherSystem(): void
    {
        $root = realpath(self::ROOT) . '/build/php-8.4';
        if (posix_geteuid() !== 0 || !is_executable("$root/usr/bin/php8.4") || PHP_MINOR_VERSION === 4) {
            self::markTestSkipped('no Debian 13 in build/ (tools/other-php.sh 8.4), or not root');
        }
        $name = "$this->folder/chroot";
        $pid = proc_get_status($this->start(['chroot', $root, '/usr/bin/php8.4', '-n', '-r', 'echo 1; sleep(100);'], $name))['pid'];
        $this->eventually(fn (): bool => (string) file_get_contents("$name.out") === '1', 'no PHP in the chroot');

        self::assertRefusal(6, '/runs PHP 8\.4\.\d+.*executor_globals \d+\/\d+/', $this->inspect(['memory', '-p', (string) $pid]));
    }

    public function testIdleAndBusyWorkerOfPhpFpm(): void
    {
        if (Programs::missing() !== null) {
            self::markTestSkipped(Programs::missing());
        }
        file_put_contents("$this->folder/index.php", <<<'PHP'
            <?php
            final class Answer { public string $text = 'hello'; }
            function answer(): void { $answer = new Answer(); usleep((int) ($_GET['nap'] ?? 0)); echo $answer->text; }
            answer();
            PHP);
        $server = new PhpFpm([], 1, script: "$this->folder/index.php");
        $pid = $server->workers()[0];

        $fresh = $this->inspect(['memory', '-p', (string) $pid, '-o', "$this->folder/fresh"]);
        self::assertSame(0, $fresh->exitCode, $fresh->err);
        $empty = '/\Axhprof-inspect: idle between requests, its heap (is empty|has \d+ bytes in \d+ blocks?); /';
        self::assertMatchesRegularExpression($empty, $fresh->err);
        self::assertSame('hello', $server->client->get('/')->body);
        $command = ['memory', '-p', (string) $pid, '-o', "$this->folder/second"];
        $this->eventually( // the answer comes before the worker has ended the request
            fn (): bool => preg_match($empty, $this->inspect($command)->err) === 1,
            'the worker has a heap between requests',
        );
        $idle = $this->snapshot($pid);
        $waiting = $this->inspect(['trace', '-p', (string) $pid, '--rate=100', '--for=0.2']);

        self::assertSame('fpm-fcgi', $idle->header['sapi']);
        self::assertSame([], $idle->calls());
        self::assertSame($idle->header['usage'], $idle->summary['usage']);
        self::assertSame('', $waiting->out);
        self::assertMatchesRegularExpression('/ 0 samples, [1-9]\d* idle, 0 dropped/', $waiting->err);

        $name = "$this->folder/busy";
        $trace = $this->start([self::program(), 'trace', '-p', (string) $pid, '--rate=100', '--for=3'], $name);
        self::assertSame('hello', $server->client->get('/?nap=1500000')->body);
        $result = $this->finish($trace, $name);
        self::assertArrayHasKey('main();answer;usleep', self::paths($result->out), $result->out . $result->err);
        self::assertSame([$pid], $server->workers(), $server->log());
        $server->stop();
    }

    public function testWrapper(): void
    {
        $wrapper = realpath(self::ROOT) . '/bin/xhprof-inspect';
        $name = "$this->folder/wrapper";
        $found = $this->finish($this->start([$wrapper, 'top'], $name, ['XHPROF_INSPECT' => self::program()]), $name);
        mkdir("$this->folder/bin");
        copy($wrapper, "$this->folder/bin/xhprof-inspect");
        chmod("$this->folder/bin/xhprof-inspect", 0755);
        mkdir("$this->folder/modules");
        file_put_contents("$this->folder/bin/php", "#!/bin/sh\necho $this->folder/modules\n");
        chmod("$this->folder/bin/php", 0755);
        $wrapped = fn(): ProcessResult => $this->finish(
            $this->start(["$this->folder/bin/xhprof-inspect"], $name, ['XHPROF_INSPECT' => '', 'PATH' => "$this->folder/bin:/bin"]),
            $name,
        );
        $absent = $wrapped();
        touch("$this->folder/modules/xhprof-inspect");
        $forbidden = $wrapped();

        self::assertRefusal(2, '/-p PID is missing/', $found);
        self::assertSame([1, 1], [$absent->exitCode, $forbidden->exitCode]);
        self::assertStringStartsWith('xhprof-inspect: not installed; ', $absent->err);
        self::assertStringEndsWith("chmod +x $this->folder/modules/xhprof-inspect\n", $forbidden->err);
    }
}
