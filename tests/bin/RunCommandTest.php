<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Run\RunId;
use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/RunTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** `xhprof run`: ends of the script, and the saved run. */
final class RunCommandTest extends RunTestCase
{
    public function testProfilesAnUnchangedScriptAndShowsWhereTheRunIs(): void
    {
        $script = $this->script('function work(): int { return strlen(str_repeat("x", 9)); } echo work() + work();');
        $result = $this->xhprof(['run', '--', $script]);

        self::assertSame(0, $result->exitCode);
        self::assertSame('18', $result->out);
        $run = $this->onlyRun();
        self::assertSame('xhprof', $run->id->source);
        self::assertStringContainsString("Saved as run {$run->id->id} in $this->folder/runs\n", $result->err);
        self::assertStringContainsString('report ' . substr($run->id->id, 0, 8), $result->err);
        self::assertMatchesRegularExpression('/^ .* 2 .* work$/m', $result->err);
        $edges = $this->store()->open($run->id)->profile()->edges();
        self::assertSame(2, $edges['main()==>work']['ct']);
        self::assertSame(2, $edges['work==>str_repeat']['ct']);
    }

    public function testItIsNamedAsTheUserCanTypeIt(): void
    {
        $script = $this->script('echo 1;');
        $xhprof = self::program();
        $word = basename($xhprof);
        foreach ([1 => $xhprof, 2 => $word, 3 => $xhprof] as $case => $name) {
            mkdir("$this->folder/path$case");
            // In PATH is nothing, this program, another one of its name.
            match ($case) {
                1 => true,
                2 => symlink($xhprof, "$this->folder/path$case/$word"),
                3 => copy('/bin/true', "$this->folder/path$case/$word") && chmod("$this->folder/path$case/$word", 0o755),
            };
            $result = $this->process([PHP_BINARY, $xhprof, 'run', '--', $script], '', [
                'PATH' => "$this->folder/path$case:/usr/bin:/bin",
            ]);
            self::assertStringContainsString("\nSee it: $name report ", $result->err);
        }
    }

    public function testCallsWithLabelsAreSavedAndComparedByTheirNames(): void
    {
        $ids = [];
        foreach (['saved', 'opened'] as $event) {
            $script = $this->script('ini_set("xhprof.label_calls", "apply:1");
                function apply(string $hook): void { $hook !== "outer" || apply("a;b==>c") || apply("' . $event . '_12"); }
                apply("outer"); apply("token=hidden");');
            $result = $this->xhprof(['run', '--', $script]);
            preg_match('/Saved as run ([0-9a-f]{32}) /', $result->err, $match);
            $ids[] = $match[1] ?? self::fail($result->err);
        }
        $edges = array_keys($this->store()->open(RunId::fromStrings($ids[0], 'xhprof'))->profile()->edges());
        sort($edges);
        self::assertSame([
            'apply(outer)==>apply(a?b???c)', 'apply(outer)==>apply(saved_{id})', 'main()', 'main()==>apply(outer)',
            'main()==>apply({id})', 'main()==>ini_set', 'main()==>load::' . basename($this->folder) . '/script.php',
        ], $edges);
        $diff = $this->xhprof(['diff', ...$ids, '--json', '--limit=0'])->json();
        $status = array_column($diff['functions'], 'status', 'name');
        self::assertSame(['gone', 'new'], [$status['apply(saved_{id})'], $status['apply(opened_{id})']]);
        self::assertNotContains($status['apply(outer)'] ?? 'both', ['gone', 'new']);
    }

    public function testOurOwnCodeIsNotInTheProfile(): void
    {
        $this->xhprof(['run', '--', $this->script('$x = new ArrayObject([1]); $x->count();')]);
        $edges = array_keys($this->store()->open($this->onlyRun()->id)->profile()->edges());
        sort($edges);

        self::assertSame([
            'main()',
            'main()==>ArrayObject::__construct',
            'main()==>ArrayObject::count',
            'main()==>load::' . basename($this->folder) . '/script.php',
        ], $edges);
    }

    /** @return iterable<string, array{string, int}> */
    public static function endings(): iterable
    {
        yield 'end of file' => ['', 0];
        yield 'exit' => ['exit(3);', 3];
        yield 'exit with a text' => ['exit("bye");', 0];
        yield 'exit deep inside' => ['array_map(function () { exit(4); }, [1]);', 4];
        yield 'uncaught exception' => ['throw new LogicException("no");', 255];
        yield 'fatal error' => ['undefined_function();', 255];
        yield 'memory limit' => ['ini_set("memory_limit", "8M"); $x = []; while (true) { $x[] = str_repeat("x", 999); }', 255];
        yield 'E_USER_ERROR' => ['trigger_error("no", E_USER_ERROR);', 255];
        yield 'exit in a shutdown function' => ['register_shutdown_function(function () { exit(5); });', 5];
        yield 'exit in a destructor' => ['class D { function __destruct() { exit(6); } } $d = new D(); unset($d);', 6];
        yield 'script stops what is not its own' => ['xhprof_disable(); xhprof_sample_disable(); exit(7);', 7];
        yield 'error handler that throws' => ['set_error_handler(fn () => throw new Error("e")); exit(8);', 8];
        yield 'exit in an output callback' => ['ob_start(fn ($s) => $s); echo 1; exit(9);', 9];
    }

    #[DataProvider('endings')]
    public function testKeepsTheExitCodeAndSavesARunHoweverTheScriptEnds(string $ending, int $exitCode): void
    {
        $code = "function work(): void { usleep(1); }\nwork();\n$ending";
        $result = $this->xhprof(['run', '--', $this->script($code)]);

        self::assertSame($exitCode, $result->exitCode, $result->err);
        self::assertSame(1, $this->store()->open($this->onlyRun()->id)->profile()->edges()['main()==>work']['ct']);
        self::assertStringContainsString('Saved as run', $result->err);
        self::assertStringNotContainsString('xhprof: ', $result->err);
    }

    public function testItComesBeforeATrackingThatTheEnvironmentAsksFor(): void
    {
        $script = $this->script('function work(): void {} work(); echo memprof_enabled() ? "tracked" : "not tracked";');
        foreach (['1', 'dump_on_limit', '0'] as $value) {
            $result = $this->xhprof(['run', '--', $script], '', ['MEMPROF_PROFILE' => $value]);
            self::assertSame([0, 'not tracked'], [$result->exitCode, $result->out], $result->err);
            $said = substr_count($result->err, 'MEMPROF_PROFILE is ignored: bin/xhprof run profiles this program');
            self::assertSame($value === '0' ? 0 : 1, $said, $result->err);
            self::assertStringContainsString('Saved as run ', $result->err);
        }
    }

    public function testJsonSaysWhetherTheProfileIsPartial(): void
    {
        $partial = function (string $code): bool {
            $options = ['-q', '--no-save', '--json', "--report-to=$this->folder/r"];
            $result = $this->xhprof(['run', ...$options, '--', $this->script($code)]);
            self::assertSame(0, $result->exitCode, $result->err);

            return json_decode((string) file_get_contents("$this->folder/r"), true, 64, JSON_THROW_ON_ERROR)['partial'];
        };

        self::assertFalse($partial('usleep(1);'));
        self::assertTrue($partial('xhprof_enable(); usleep(1); xhprof_disable(); strlen("x"); usleep(1);'));
    }

    public function testParseErrorEndsAsInPhp(): void
    {
        $result = $this->xhprof(['run', '-d', 'display_errors=stderr', '--', $this->script('function (;')]);

        self::assertSame(255, $result->exitCode);
        self::assertStringContainsString('Parse error', $result->err);
    }

    public function testShutdownFunctionsAndDestructorsAreProfiled(): void
    {
        $this->xhprof(['run', '--', $this->script(
            <<<'PHP'
            function inFirst(): void {}
            function inNested(): void {}
            class D { function __destruct() { inDestructor(); } }
            function inDestructor(): void {}
            class Last { public static ?D $kept = null; }
            register_shutdown_function(function () {
                inFirst();
                register_shutdown_function(fn () => inNested());
            });
            $global = new D();
            Last::$kept = new D();
            PHP,
        )]);
        $called = [];
        foreach ($this->store()->open($this->onlyRun()->id)->profile()->edges() as $edge => $row) {
            $called[preg_replace('/^.*==>/', '', $edge)] = $row['ct'];
        }

        self::assertSame([1, 1, 2], [$called['inFirst'], $called['inNested'], $called['inDestructor']]);
    }

    /** @return iterable<string, array{string, int}> */
    public static function lateEndings(): iterable
    {
        yield 'exit in the last destructors' => ['class D { function __destruct() { exit(6); } } $d = new D();', 6];
        yield 'exception there' => ['class D { function __destruct() { throw new Error("x"); } } $d = new D();', 255];
        yield 'fatal error in a shutdown function' => [
            'register_shutdown_function(function () { trigger_error("x", E_USER_ERROR); });',
            255,
        ];
        yield 'memory limit in a shutdown function' => [
            'register_shutdown_function(function () {
                ini_set("memory_limit", "8M"); $x = []; while (true) { $x[] = [count($x)]; } });',
            255,
        ];
        yield 'process replaced' => ['pcntl_exec("/bin/sh", ["-c", "exit 11"]);', 11];
        yield 'killed by itself' => ['posix_kill(getmypid(), SIGTERM); while (true) { usleep(1000); }', 143];
        yield 'killed by itself, in a shutdown function' => [
            'register_shutdown_function(function () { posix_kill(getmypid(), SIGINT); while (true) { usleep(1000); } });',
            130,
        ];
    }

    /** No PHP code runs after these. */
    #[DataProvider('lateEndings')]
    public function testAProfileIsSavedWhereNoCodeOfPhpRunsAnyMore(string $ending, int $exitCode): void
    {
        $script = $this->script("function work(): void { usleep(1); }\nwork();\n$ending");
        foreach ([[], ['--sample=100us']] as $options) {
            $this->removeRuns();
            $result = $this->xhprof(['run', '-d', 'display_errors=0', ...$options, '--', $script]);

            self::assertSame($exitCode, $result->exitCode, $result->err);
            self::assertStringContainsString('Saved as run', $result->err);
            $run = $this->store()->open($this->onlyRun()->id)->profile();
            if ($options === []) {
                self::assertSame(1, $run->edges()['main()==>work']['ct'] ?? null);
            }
        }
    }

    /** @return iterable<string, array{string}> how a script starts itself anew */
    public static function restarts(): iterable
    {
        yield 'by pcntl_exec()' => ['pcntl_exec(PHP_BINARY, ["-d", "memory_limit=99M", ...$argv]);'];
        yield 'as composer/xdebug-handler does' => [
            '$p = proc_open([PHP_BINARY, "-n", "-d", "memory_limit=99M", ...$_SERVER["argv"]], [], $pipes); exit(proc_close($p));',
        ];
    }

    #[DataProvider('restarts')]
    public function testARestartedScriptIsTheOneThatIsProfiled(string $restart): void
    {
        $code = "if (ini_get('memory_limit') !== '99M') { before(); $restart }
            function before(): void {}
            function after(): void {}
            after();
            echo implode(',', array_slice(\$argv, 1)), ' ', ini_get('memory_limit');
            exit(4);";
        $result = $this->xhprof(['run', '--', $this->script($code), 'a b', '--c']);

        self::assertSame([4, 'a b,--c 99M'], [$result->exitCode, $result->out], $result->err);
        $edges = $this->store()->open($this->onlyRun()->id)->profile()->edges();
        self::assertArrayHasKey('main()==>after', $edges);
        self::assertArrayNotHasKey('main()==>before', $edges);
    }

    public function testAScriptThatAnotherOneReplacesIsAPartAndTheOtherIsTheRun(): void
    {
        $other = "$this->folder/other.php";
        file_put_contents($other, '<?php function second(): void {} second(); echo $argv[1]; exit(12);');
        $code = "function first(): void {} first(); pcntl_exec(PHP_BINARY, ['$other', 'x']);";
        $forked = "if (pcntl_fork() === 0) { pcntl_exec(PHP_BINARY, ['$other', 'y']); } pcntl_wait(\$s); $code";
        foreach ([$code, $forked] as $script) {
            $this->removeRuns();
            $result = $this->xhprof(['run', '--', $this->script($script)]);

            self::assertSame(12, $result->exitCode, $result->err);
            $functions = [];
            foreach ($this->store()->list() as $run) {
                $edges = $this->store()->open($run->id)->profile()->edges();
                $functions[isset($edges['main()==>first']) ? 'first' : 'second'][] = $run->id;
            }
            self::assertSame([1, 1], [count($functions['first'] ?? []), count($functions['second'] ?? [])]);
            $id = substr((string) ($functions['second'][0] ?? ''), 0, 32);
            self::assertStringContainsString("Saved as run $id", $result->err);
        }
    }

    public function testOtherProgramsThatAScriptStartsAreTheirOwn(): void
    {
        $code = 'function work(): void {} work(); $p = proc_open([PHP_BINARY, "-r", "echo 1;"], [], $pipes); proc_close($p);'
            . '@pcntl_exec("/no/such/program"); echo "goes on";';
        $result = $this->xhprof(['run', '--', $this->script($code)]);

        self::assertSame('1goes on', $result->out);
        self::assertArrayHasKey('main()==>work', $this->store()->open($this->onlyRun()->id)->profile()->edges());
    }

    /** @return iterable<string, array{string, int}> */
    public static function endingsOfPhars(): iterable
    {
        yield 'end of file' => ['', 0];
        yield 'exit' => ['exit(3);', 3];
        yield 'exception' => ['throw new LogicException("no");', 255];
        yield 'fatal error' => ['undefined_function();', 255];
        yield 'SIGTERM' => ['posix_kill(getmypid(), 15); while (true) { usleep(1000); }', 143];
        yield 'Ctrl-C at work' => ['posix_kill(getmypid(), 2); while (true) { md5("x"); }', 130];
        yield 'fork' => ['if (pcntl_fork() === 0) { exit(5); } pcntl_wait($status); exit(4);', 4];
        yield 'process replaced' => ['pcntl_exec("/bin/sh", ["-c", "exit 11"]);', 11];
        yield 'started anew' => [
            'if (getenv("AGAIN") === "1") { exit(6); } pcntl_exec(PHP_BINARY, $_SERVER["argv"], ["AGAIN" => "1"] + getenv());',
            6,
        ];
    }

    /** The phar is main(), exact and sampled, like any script. */
    #[DataProvider('endingsOfPhars')]
    public function testAPhar(string $ending, int $exitCode): void
    {
        $build = '[, $file, $ending] = $argv; $p = new Phar($file, 0, "t.phar"); $p["end.php"] = "<?php $ending";'
            . '$p["inner.php"] = "<?php function inner() { usleep(1); } inner(); require __DIR__ . \"/end.php\";";'
            . '$p->setStub("<?php Phar::mapPhar(\"t.phar\"); require \"phar://t.phar/inner.php\"; __HALT_COMPILER();");';
        $command = [PHP_BINARY, '-d', 'phar.readonly=0', '-r', $build, '--', "$this->folder/t.phar", $ending];
        self::assertSame(0, proc_close(proc_open($command, [], $pipes) ?: throw new \LogicException()));
        foreach ([[], ['--sample=1ms']] as $options) {
            $this->removeRuns();
            $result = $this->xhprof(['run', '-d', 'display_errors=0', ...$options, '--', "$this->folder/t.phar"]);

            self::assertSame($exitCode, $result->exitCode, $result->err);
            $edges = $this->store()->open($this->onlyRun()->id)->profile()->edges();
            self::assertSame([], preg_grep('/run_init::[^=]*\.phar$/', array_keys($edges)));
            if ($options === []) {
                self::assertArrayHasKey('main()==>run_init::t.phar/inner.php', $edges);
                self::assertArrayHasKey('run_init::t.phar/inner.php==>inner', $edges);
            }
        }
    }

    public function testScriptKilledByASignal(): void
    {
        $result = $this->xhprof(['run', '--', $this->script('posix_kill(getmypid(), 9);')]);

        self::assertSame(137, $result->exitCode);
        self::assertSame("xhprof: no profile: the script was killed by signal 9 (SIGKILL)\n", $result->err);
        self::assertSame([], $this->store()->list());
    }

    /** @return iterable<string, array{int, list<string>, string}> */
    public static function killers(): iterable
    {
        foreach ([15 => 'SIGTERM', 2 => 'SIGINT', 1 => 'SIGHUP'] as $signal => $name) {
            yield "$name, exact, asleep" => [$signal, [], 'sleep(60);'];
            yield "$name, sampled, at work" => [$signal, ['--sample=1ms'], 'while (true) { md5("x"); }'];
        }
    }

    /** @param list<string> $options */
    #[DataProvider('killers')]
    public function testASignalThatEndsTheScriptLeavesItsProfile(int $signal, array $options, string $code): void
    {
        $script = $this->script("function work() { file_put_contents(__DIR__ . '/ready', '1'); $code } work();");
        $process = $this->start([PHP_BINARY, self::program(), 'run', ...$options, '--', $script]);
        $this->waitFor("$this->folder/ready", '1');
        proc_terminate($process, $signal);
        while (($status = proc_get_status($process))['running']) {
            usleep(2000);
        }

        self::assertSame(128 + $signal, $status['exitcode']);
        $errors = (string) file_get_contents("$this->folder/stderr");
        self::assertStringContainsString("killed by signal $signal", $errors);
        self::assertMatchesRegularExpression($options === [] ? '/ work$/m' : '/ one per 1\.00 ms\s+of wall time/', $errors);
        $run = $this->onlyRun();
        self::assertStringContainsString("Saved as run {$run->id->id}", $errors);
    }

    /**
     * The way `timeout` and service managers send it: the script gets it from them, and once more from its parent command.
     *
     * @param list<string> $options
     */
    #[DataProvider('killers')]
    public function testASignalForTheWholeGroupIsOneSignal(int $signal, array $options, string $code): void
    {
        $script = $this->script("file_put_contents(__DIR__ . '/ready', '1'); $code");
        $command = ['setsid', PHP_BINARY, self::program(), 'run', ...$options, '--', $script];
        $process = $this->start($command);
        $this->waitFor("$this->folder/ready", '1');
        self::assertTrue(posix_kill(-proc_get_status($process)['pid'], $signal));
        while (($status = proc_get_status($process))['running']) {
            usleep(2000);
        }

        $errors = (string) file_get_contents("$this->folder/stderr");
        self::assertStringContainsString("Saved as run {$this->onlyRun()->id->id}", $errors);
    }

    /** @return iterable<string, array{int, int}> */
    public static function signals(): iterable
    {
        yield 'SIGTERM' => [15, 1];
        yield 'SIGINT' => [2, 1];
        yield 'SIGHUP' => [1, 1];
        yield 'two SIGUSR1' => [10, 2];
    }

    #[DataProvider('signals')]
    public function testSignalsArePassedOnToTheScript(int $signal, int $times): void
    {
        $code = <<<PHP
            pcntl_async_signals(true);
            \$seen = 0;
            pcntl_signal($signal, function () use (&\$seen) { echo "seen\\n"; if (++\$seen === $times) { exit(21); } });
            file_put_contents(__DIR__ . '/ready', '1');
            for (\$i = 0; \$i < 500; \$i++) { usleep(10000); }
            PHP;
        $process = $this->start([PHP_BINARY, self::program(), 'run', '--', $this->script($code)]);
        $this->waitFor("$this->folder/ready", '1');
        for ($i = 1; $i <= $times; $i++) {
            proc_terminate($process, $signal);
            $this->waitFor("$this->folder/stdout", str_repeat("seen\n", $i));
        }
        while (($status = proc_get_status($process))['running']) {
            usleep(2000);
        }

        self::assertSame(21, $status['exitcode']);
        self::assertSame(str_repeat("seen\n", $times), file_get_contents("$this->folder/stdout"));
        $this->onlyRun();
    }

    public function testForkedProcessesSaveNothing(): void
    {
        $code = 'if (pcntl_fork() === 0) { usleep(1000); exit(0); } pcntl_wait($status); echo "parent";';
        $result = $this->xhprof(['run', '--', $this->script($code)]);

        self::assertSame([0, 'parent'], [$result->exitCode, $result->out]);
        $this->onlyRun();
    }

    public function testMetrics(): void
    {
        $script = $this->script('usleep(1);');
        $metrics = [];
        foreach ([[], ['--cpu'], ['--wall-only'], ['--flags=0'], ['--flags=2'], ['--flags', '2', '--memory']] as $options) {
            $this->xhprof(['run', ...$options, '--', $script]);
            $run = $this->onlyRun();
            $metrics[] = implode(' ', $this->store()->open($run->id)->profile()->metrics());
            $this->removeRuns();
        }

        $all = 'wt cpu mu pmu';
        self::assertSame([$all, $all, 'wt', 'wt', 'wt cpu', $all], $metrics);
    }

    public function testNoBuiltinsAndIgnore(): void
    {
        $script = $this->script('function a() { b(); } function b() { c(); } function c() { strlen("x" . rand()); } a();');
        $this->xhprof(['run', '--no-builtins', '--ignore=b', '--ignore', 'nothing', '--', $script]);
        $symbols = $this->store()->open($this->onlyRun()->id)->profile()->symbols();
        sort($symbols);

        self::assertSame(['a', 'c', 'load::' . basename($this->folder) . '/script.php', 'main()'], $symbols);
    }

    /** @return iterable<string, array{list<string>}> */
    public static function waysToSayRun(): iterable
    {
        yield 'option before' => [['-q', 'run']];
        yield 'long option before' => [['--no-ansi', 'run', '--cpu']];
        yield 'several' => [['-q', '--ansi', 'run', '--source', 'xhprof']];
        yield 'short name' => [['ru']];
        yield 'short name, option before' => [['--quiet', 'ru', '--meta', 'a=-b']];
    }

    /** @param list<string> $run */
    #[DataProvider('waysToSayRun')]
    public function testTheScriptsOptionsAreItsOwn(array $run): void
    {
        $script = $this->script('echo implode(" ", array_slice($argv, 1));');
        $result = $this->xhprof([...$run, $script, '--foo', '-q', '--json', '--', '--help']);

        self::assertSame([0, '--foo -q --json -- --help'], [$result->exitCode, $result->out], $result->err);
    }

    public function testTopLevelCodeOfFilesIsShownThatOfTheScriptIsMain(): void
    {
        $this->script('usleep(1);', 'file.php');
        $this->xhprof(['run', '--', $this->script('require __DIR__ . "/file.php";', 'top.php')]);
        $symbols = $this->store()->open($this->onlyRun()->id)->profile()->symbols();

        self::assertContains('run_init::' . basename($this->folder) . '/file.php', $symbols);
        self::assertNotContains('run_init::' . basename($this->folder) . '/top.php', $symbols);
    }

    public function testSourceAndMeta(): void
    {
        $result = $this->xhprof(['run', '--source=nightly', '--meta=branch=main', '--meta', 'n=a=b', $this->script('')]);
        $run = $this->onlyRun();

        self::assertSame(0, $result->exitCode, $result->err);
        self::assertSame('nightly', $run->id->source);
        self::assertSame(['branch' => 'main', 'n' => 'a=b'], $this->store()->open($run->id)->meta()->meta);
        self::assertStringContainsString("php $this->folder/script.php", (string) $run->meta->origin->command);
    }

    public function testCorrectedTimes(): void
    {
        $script = $this->script('function work(): void { usleep(1); } work();');
        $options = ['--corrected', '--sort=excl_corrected_wt', '--json', "--report-to=$this->folder/r"];
        $result = $this->xhprof(['run', ...$options, '--', $script]);
        self::assertSame(0, $result->exitCode, $result->err);
        $report = json_decode((string) file_get_contents("$this->folder/r"), true, 64, JSON_THROW_ON_ERROR);

        self::assertNotSame([], $this->store()->open($this->onlyRun()->id)->tree()?->corrected);
        self::assertSame(['wt', 'corrected_wt', 'cpu', 'corrected_cpu', 'mu', 'pmu'], $report['metrics']);
        self::assertSame('excl_corrected_wt', $report['sort']);
        self::assertContains('work', array_column($report['functions'], 'name'));
        self::assertStringNotContainsString('has no corrected times', $result->err);
    }

    public function testNoSaveLeavesNothing(): void
    {
        $before = glob(sys_get_temp_dir() . '/xhprof-run-*');
        $result = $this->xhprof(['run', '--no-save', '--json', '--', $this->script('usleep(1);')]);

        self::assertSame([], $this->store()->list());
        self::assertSame($before, glob(sys_get_temp_dir() . '/xhprof-run-*'));
        self::assertStringNotContainsString('Saved', $result->err);
        $report = json_decode($result->err, true, 64, JSON_THROW_ON_ERROR);
        self::assertContains('usleep', array_column($report['functions'], 'name'));
    }

    public function testQuietlyOnlyTheIdIsPrinted(): void
    {
        $script = $this->script('echo "mine";');
        $result = $this->xhprof(['run', '-q', '--', $script]);
        self::assertSame(['mine', $this->onlyRun()->id->id . "\n"], [$result->out, $result->err]);
        $this->removeRuns();
        $result = $this->xhprof(['run', '-q', "--report-to=$this->folder/id", '--', $script]);
        self::assertSame(['mine', ''], [$result->out, $result->err]);
        self::assertStringEqualsFile("$this->folder/id", $this->onlyRun()->id->id . "\n");
        self::assertSame('', $this->xhprof(['run', '-q', '--no-save', '--', $script])->err);
    }

    public function testReportToAFile(): void
    {
        $file = "$this->folder/profile.json";
        $script = $this->script('fwrite(STDERR, "mine");');
        $result = $this->xhprof(['run', '-q', '--json', "--report-to=$file", '--', $script]);

        self::assertSame('mine', $result->err);
        $report = json_decode((string) file_get_contents($file), true, 64, JSON_THROW_ON_ERROR);
        self::assertSame($this->onlyRun()->id->id, $report['run']['id']);
    }

    public function testAReportThatCannotBeWrittenIsAnErrorButTheRunIsKept(): void
    {
        foreach (['' => 1, 'exit(3);' => 3] as $code => $exitCode) {
            $result = $this->xhprof(['run', '--report-to=/dev/full', '--', $this->script("echo 'mine'; $code")]);

            self::assertSame([$exitCode, 'mine'], [$result->exitCode, $result->out]);
            self::assertStringContainsString("\nxhprof: cannot write to /dev/full: No space left on device\n", $result->err);
            self::assertStringContainsString("Saved as run {$this->onlyRun()->id->id}", $result->err);
            $this->removeRuns();
        }
    }

    public function testOutputFolderIsMade(): void
    {
        $folder = "$this->folder/a b/it's";
        $result = $this->xhprof(['run', "--output-dir=$folder", '--', $this->script('')]);

        self::assertSame(0, $result->exitCode, $result->err);
        self::assertCount(1, RunFiles::runs($folder, 'xhprof'));
        self::assertStringContainsString('--output-dir=', $result->err);
    }

    public function testAFolderThatIsMadeIsItsOwnersAndGroups(): void
    {
        $run = [PHP_BINARY, self::program(), 'run', "--output-dir=$this->folder/a/b", '--', $this->script('')];
        $result = $this->process(['sh', '-c', 'umask 0; exec "$@"', 'sh', ...$run]);

        self::assertSame(0, $result->exitCode, $result->err);
        foreach (['a', 'a/b'] as $name) {
            self::assertSame('0750', sprintf('%04o', (int) fileperms("$this->folder/$name") & 07777), $name);
        }
    }

    public function testAnExtensionOfPhpIniIsNotLoadedTwice(): void
    {
        $ini = 'extension=' . realpath(self::ROOT . '/extension/modules/xhprof.so')
            . "\nxhprof.output_dir=$this->folder/fromini\n";
        mkdir("$this->folder/ini");
        file_put_contents("$this->folder/ini/xhprof.ini", $ini);
        $environment = ['PHP_INI_SCAN_DIR' => ":$this->folder/ini", 'XHPROF_OUTPUT_DIR' => ''];
        $result = $this->xhprof(['run', '--', $this->script('echo "out";')], '', $environment);

        self::assertSame([0, 'out'], [$result->exitCode, $result->out], $result->err);
        self::assertCount(1, RunFiles::runs("$this->folder/fromini", 'xhprof'));
        self::assertStringNotContainsString('already loaded', $result->err);
    }

    public function testHardenedPhp(): void
    {
        $hardened = ['run', '-d', 'disable_functions=ini_set,set_time_limit', '--', $this->script('exit(3);')];
        self::assertSame(3, $this->xhprof($hardened)->exitCode);
        $this->onlyRun();

        $this->removeRuns();
        mkdir("$this->folder/cage");
        rename($this->script('exit(5);'), "$this->folder/cage/script.php");
        $caged = $this->xhprof(['run', '-d', "open_basedir=$this->folder/cage", '--', "$this->folder/cage/script.php"]);
        self::assertSame(5, $caged->exitCode, $caged->err);
        $this->onlyRun();
    }

    private function waitFor(string $file, string $content): void
    {
        for ($i = 0; $i < 2500 && @file_get_contents($file) !== $content; $i++) {
            usleep(4000);
        }
        self::assertSame($content, file_get_contents($file));
    }
}
