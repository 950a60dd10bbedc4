<?php

declare(strict_types=1);

namespace XHProf\Tests\Fuzz;

/**
 * The extension's functions with random arguments, called from unusual places: handlers of errors, exceptions and output,
 * destructors, fibers, ticks, streams, shutdown; ended in several ways. The process ends as without the extension: not by a
 * signal, and without an error of its own.
 */
final class ApiCalls implements Target
{
    /** Exit codes of a process that the program itself has ended. */
    private const CODES = [0, 3, 255];

    private const SETTINGS = [
        [], ['xhprof.hooks=walk'], ['xhprof.hooks=off'], ['xhprof.start_with_request=yes'], ['xhprof.alloc_sample_bytes=1K'],
        ['xhprof.start_with_request=yes', 'xhprof.mode=aggregate'], ['xhprof.start_with_request=yes', 'xhprof.mode=sample'],
        ['xhprof.start_with_request=yes', 'xhprof.mode=alloc'], ['xhprof.max_nodes=50', 'xhprof.alloc_max_records=50'],
        ['memory_limit=8M'], ['xhprof.sampling_interval=100'],
    ];

    private const VALUES = [
        'null', '0', '1', '-1', '15', 'PHP_INT_MAX', '"x"', '""', '"a b\0c"', '[]', '["interval" => 100]', '["clock" => "cpu"]',
        '["ignored_functions" => ["leaf", "Thing::__destruct"]]', '["run_init" => true]', '["unknown" => 1]', '["types" => false]',
        '["after" => 1]', '"json"', '"pprof"', 'STDERR', 'fopen("php://memory", "w+")',
        'fopen("own://x", "w")', 'new Thing()', '["meta" => ["a" => NAN]]', '1.5', 'true', 'str_repeat("n", 300)',
    ];

    private const FUNCTIONS = [
        'xhprof_enable', 'xhprof_disable', 'xhprof_call_tree', 'xhprof_save', 'xhprof_sample_enable', 'xhprof_sample_disable',
        'xhprof_begin_span', 'xhprof_end_span', 'xhprof_alloc_mark', 'xhprof_alloc_dump', 'xhprof_heap_snapshot', 'memprof_enable',
        'memprof_disable', 'memprof_enabled', 'memprof_enabled_flags', 'memprof_dump_array', 'memprof_dump_callgrind',
        'memprof_dump_pprof', 'tideways_xhprof_enable', 'tideways_xhprof_disable',
    ];

    /** Programs that the calls are put into, in place of "CALLS". */
    private const PLACES = [
        'CALLS', 'leaf(fn () => CALLS);', '(new Fiber(function () { CALLS Fiber::suspend(); CALLS }))->start();',
        'set_error_handler(function () { static $deep = 0; if ($deep++ < 3) { CALLS } return true; }); echo $undefined;',
        '$kept[] = new Thing(function () { CALLS });', 'new Thing(function () { CALLS });',
        'ob_start(function ($text) { CALLS return $text; }); echo "x"; ob_end_flush();',
        'register_shutdown_function(function () { CALLS });',
        'foreach ((function () { CALLS yield 1; CALLS yield 2; })() as $_) { CALLS }',
        'try { CALLS throw new Exception(); } catch (Exception) { CALLS } finally { CALLS }',
        'json_encode(new Thing(function () { CALLS }));',
        'usort($three, function ($a, $b) { CALLS return $a <=> $b; });',
        'register_tick_function(function () { static $n = 0; if ($n++ < 2) { CALLS } });',
        'spl_autoload_register(function () { CALLS }); class_exists("None" . mt_rand());',
        'gc_collect_cycles(); CALLS',
        '$fiber = new Fiber(function () { CALLS Fiber::suspend(); }); $fiber->start(); $kept[] = $fiber;',
        'include "data://text/plain,<?php leaf(fn () => 1);"; CALLS',
        'eval("function made" . mt_rand() . "() {}"); CALLS',
        'Own::$do = function () { CALLS }; @file_put_contents("own://x", "y");',
        'set_exception_handler(function () { CALLS });', 'for ($i = 0; $i < 200; $i++) { leaf(fn () => $i); } CALLS',
        '$kept[] = str_repeat("k", 5000); CALLS',
    ];

    private const ENDS = [
        '', 'exit(3);', 'throw new Exception("end");', 'trigger_error("end", E_USER_ERROR);',
        '$x = str_repeat("x", PHP_INT_MAX >> 8);', 'undefined_function();',
        '(function () { while (true) { $all[] = str_repeat("x", 100000); } })();', 'exit;',
    ];

    private const HEAD = <<<'PHP'
        <?php
        declare(ticks=3);
        function leaf(callable $do) { return $do(); }
        final class Thing implements JsonSerializable {
            public function __construct(private ?Closure $do = null) {}
            public function jsonSerialize(): mixed { $this->do && ($this->do)(); return 1; }
            public function __destruct() { $this->do && ($this->do)(); }
        }
        final class Own {
            public static ?Closure $do = null;
            public mixed $context;
            public function stream_open($a, $b, $c, &$d) { return true; }
            public function stream_write($bytes) { $do = self::$do; self::$do = null; $do && $do(); return strlen($bytes); }
            public function stream_close() { $do = self::$do; self::$do = null; $do && $do(); }
        }
        stream_wrapper_register('own', Own::class);
        $three = [3, 1, 2];
        $kept = [];

        PHP;

    public function __construct(private readonly Sandbox $sandbox)
    {
    }

    public function attempt(Chance $chance): array
    {
        $code = self::HEAD;
        for ($left = $chance->number(1, 12); $left > 0; $left--) {
            $place = $chance->one(self::PLACES);
            $filled = preg_replace_callback('/=> CALLS\b|CALLS/', static fn (array $match): string
                => $match[0] === 'CALLS' ? self::calls($chance) : '=> ' . self::call($chance), $place);
            $code .= "try {\n    $filled\n} catch (Throwable) {\n}\n";
        }
        $file = "{$this->sandbox->folder}/cache/program.php";
        file_put_contents($file, $code . $chance->one(self::ENDS) . "\n");
        $command = [PHP_BINARY, '-n'];
        $library = dirname(__DIR__, 2) . '/extension/modules/xhprof.so';
        $settings = ["extension=$library", 'display_errors=1', 'memory_limit=32M', "xhprof.output_dir={$this->sandbox->runs}"];
        foreach ([...$settings, ...$chance->one(self::SETTINGS), ...$chance->one(self::SETTINGS)] as $setting) {
            array_push($command, '-d', $setting);
        }
        [$status, $output] = Child::run([...$command, $file], ['XHPROF_OUTPUT_DIR' => $this->sandbox->runs]);
        foreach (glob("{$this->sandbox->runs}/{,.}[!.]*", GLOB_BRACE) ?: [] as $left) {
            unlink($left);
        }
        $wrong = in_array($status, self::CODES, true) ? [] : ["the program ended with $status: " . substr($output, -300)];

        if (str_contains($output, 'Parse error') || str_contains($output, 'Fatal error: Cannot')) {
            $wrong[] = 'the program does not run: ' . substr($output, 0, 300);
        }

        return [...$wrong, ...$this->sandbox->broken('')];
    }

    private static function calls(Chance $chance): string
    {
        $calls = '';
        for ($left = $chance->number(1, 4); $left > 0; $left--) {
            $calls .= 'try { ' . self::call($chance) . '; } catch (Throwable) {} ';
        }

        return $calls;
    }

    private static function call(Chance $chance): string
    {
        $function = $chance->one(self::FUNCTIONS);
        $arguments = $chance->some(self::VALUES, 3);
        // In a file of its own, with nothing that the program does not expect.
        if ($function === 'xhprof_heap_snapshot') {
            $arguments = ["__DIR__ . '/snapshot'", ...array_slice($arguments, 1, 1)];
        }

        return "@$function(" . implode(', ', $arguments) . ')';
    }
}
