<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

require_once __DIR__ . '/CliTestCase.php';

/** A script under `xhprof run` sees, reads and prints the same as under php alone. */
final class TransparencyTest extends CliTestCase
{
    /** Prints everything that a script can find out about its environment. */
    private const LOOK_AROUND = <<<'PHP'
        $look = [
            'argv' => $argv, 'argc' => $argc, 'server argv' => $_SERVER['argv'],
            'script' => [$_SERVER['SCRIPT_NAME'], $_SERVER['PHP_SELF'], $_SERVER['SCRIPT_FILENAME'], $_SERVER['argc']],
            'file' => [__FILE__, __DIR__, __LINE__, get_included_files()[0]],
            'globals' => array_keys($GLOBALS),
            'environment' => (static function () { $e = getenv(); ksort($e); return $e; })(),
            'env keys' => (static function () { $e = array_keys($_ENV); sort($e); return $e; })(),
            'cwd' => getcwd(), 'include path' => get_include_path(), 'ini memory' => ini_get('memory_limit'),
            'object id' => spl_object_id(new stdClass()),
            'buffers' => ob_get_level(), 'error' => error_get_last(), 'trace' => debug_backtrace(),
            'functions' => get_defined_functions()['user'],
            'constants' => array_keys(get_defined_constants(true)['user'] ?? []),
            'error handler' => set_error_handler(null), 'exception handler' => set_exception_handler(null),
            'autoloaders' => spl_autoload_functions(), 'sapi' => PHP_SAPI, 'binary' => PHP_BINARY,
            'ignored signals' => preg_grep('/^Sig(Ign|Blk)/', file('/proc/self/status')),
            'umask' => umask(), 'tty' => array_map(stream_isatty(...), [STDIN, STDOUT, STDERR]),
        ];
        echo json_encode($look, JSON_PRETTY_PRINT | JSON_THROW_ON_ERROR), "\n";
        var_dump(new ArrayObject());
        PHP;

    protected function setUp(): void
    {
        self::needExtension();
        parent::setUp();
    }

    public function testTheScriptSeesNothingOfUs(): void
    {
        $script = $this->script(self::LOOK_AROUND);
        $arguments = ['--help', '-v', '', 'a b', '--', '--json', "it's", '$HOME'];
        $environment = ['EMPTY' => '', 'COLUMNS' => '77', 'SHELL_VERBOSITY' => '1', 'NO_COLOR' => '1'];
        $plain = $this->process([PHP_BINARY, $script, ...$arguments], '', $environment);
        $profiled = $this->xhprof(['run', '--cpu', '--', $script, ...$arguments], '', $environment);

        self::assertSame($plain->out, $profiled->out);
        self::assertSame([0, 0], [$plain->exitCode, $profiled->exitCode]);
        self::assertSame('', $plain->err);
    }

    public function testRelativeScriptAndNamesThatLookLikeOptions(): void
    {
        $this->script('echo json_encode([$argv, __FILE__]);', '-r.php');
        $xhprof = self::program();
        $run = static fn (string $command): array
            => ['sh', '-c', 'cd "$1" && shift && ' . $command, 'sh'];
        $command = [...$run(PHP_BINARY . ' "$@"'), $this->folder, $xhprof, 'run', '--', '-r.php', '-x'];

        self::assertSame(json_encode([['./-r.php', '-x'], "$this->folder/-r.php"]), $this->process($command)->out);
    }

    public function testOptionsAfterTheScriptAreItsOwnAlsoWithoutDashes(): void
    {
        $script = $this->script('echo implode("|", array_slice($argv, 1));');
        $result = $this->xhprof(['run', '--source', 's', '-l', '3', $script, '--cpu', '--', '--version', '-q']);

        self::assertSame('--cpu|--|--version|-q', $result->out);
    }

    public function testStdinIsTheScripts(): void
    {
        $bytes = random_bytes(200000) . "\0\r\n";
        $script = $this->script('fwrite(STDERR, "to stderr"); stream_copy_to_stream(STDIN, STDOUT);');
        $result = $this->xhprof(['run', '--', $script], $bytes);

        self::assertTrue($bytes === $result->out);
        self::assertStringStartsWith('to stderr', $result->err);
    }

    public function testTheScriptLeavesTheRestOfStdin(): void
    {
        $script = $this->script('echo strtoupper(stream_get_line(STDIN, 3, ""));');
        $command = 'printf abcdef | (' . PHP_BINARY . ' "$1" run -q -- "$2"; echo; cat)';
        $result = $this->process(['sh', '-c', $command, 'sh', self::program(), $script]);

        self::assertSame("ABC\n", $result->out);
    }

    public function testOtherDescriptorsReachTheScript(): void
    {
        $script = $this->script('file_put_contents("php://fd/7", "seven");');
        $file = "$this->folder/seven";
        $command = PHP_BINARY . ' "$1" run -q -- "$2" 7>"$3"';
        $result = $this->process(['sh', '-c', $command, 'sh', self::program(), $script, $file]);

        self::assertSame([0, 'seven'], [$result->exitCode, file_get_contents($file)]);
    }

    public function testATerminalStaysATerminal(): void
    {
        $code = 'echo implode(",", array_map(intval(...), array_map(stream_isatty(...), [STDIN, STDOUT, STDERR])));';
        $script = $this->script($code);
        [$screen, $exitCode] = $this->onTerminal(['run', '--', $script]);

        self::assertSame(0, $exitCode, $screen);
        self::assertStringStartsWith('1,1,1', $screen);
        self::assertStringContainsString("\033[", $screen);
        self::assertStringContainsString('Saved as run', $screen);
    }

    public function testCtrlCEndsTheScriptOnceAndIsReported(): void
    {
        $code = 'file_put_contents(__DIR__ . "/ready", "1"); sleep(20);';
        [$screen, $exitCode] = $this->onTerminal(['run', '--', $this->script($code)], "\x03");

        self::assertSame(130, $exitCode, $screen);
        self::assertStringContainsString('killed by signal 2 (SIGINT): this run ends there', $screen);
        self::assertStringContainsString('Saved as run', $screen);
        self::assertCount(1, $this->store()->list());
    }

    public function testTheUsersOwnPrependFileRunsBeforeTheScript(): void
    {
        $prepend = $this->script('$fromPrepend = "set"; echo "prepend,"; function viaPrepend() {}', "pre'pend.php");
        $script = $this->script('viaPrepend(); echo $fromPrepend;');
        $ini = "$this->folder/php.ini";
        file_put_contents($ini, "auto_prepend_file = \"$prepend\"\nmemory_limit = 77M\n");
        $this->script('echo ini_get("memory_limit"), ",", $fromPrepend;', 'second.php');
        $first = $this->xhprof(['run', '-q', '-d', "-c $ini", '--', $script]);
        usleep(2000);
        $second = $this->xhprof(['run', '-q', "--php-option=-c$ini", '--', "$this->folder/second.php"]);

        self::assertSame(['prepend,set', 'prepend,77M,set'], [$first->out, $second->out]);
        $edges = $this->store()->open($this->store()->list()[1]->id)->profile()->edges();
        self::assertArrayHasKey('main()==>viaPrepend', $edges);
    }

    /**
     * @param list<string> $arguments of xhprof
     * @param string       $keys      typed once the script has made the file "ready"
     * @return array{string, int} the terminal's contents, and the exit code
     */
    private function onTerminal(array $arguments, string $keys = ''): array
    {
        $command = [PHP_BINARY, self::program(), ...$arguments];
        $line = implode(' ', array_map(escapeshellarg(...), $command));
        $process = proc_open(
            ['script', '-q', '-e', '-c', $line, '/dev/null'],
            [['pipe', 'r'], ['file', "$this->folder/screen", 'w'], ['file', '/dev/null', 'w']],
            $pipes,
            null,
            ['TERM' => 'xterm'] + $this->environment(),
        );
        self::assertIsResource($process);
        $deadline = microtime(true) + 30;
        while (($status = proc_get_status($process))['running'] && microtime(true) < $deadline) {
            if ($keys !== '' && is_file("$this->folder/ready")) {
                fwrite($pipes[0], $keys);
                $keys = '';
            }
            usleep(5000);
        }
        proc_terminate($process, 9);

        return [(string) file_get_contents("$this->folder/screen"), $status['exitcode']];
    }
}
