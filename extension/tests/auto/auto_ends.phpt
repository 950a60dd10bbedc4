--TEST--
A profile that settings started is saved however the program ends, and the program runs, prints and ends as it does without
--FILE--
<?php
require __DIR__ . '/../auto.inc';

// Settings of the profiles; 'mode' is the name unless it is among them.
$modes = ['exact' => ['flags' => 'cpu,memory'], 'alloc' => [], 'sample' => ['sampling_interval' => 200],
    'sampled allocations' => ['mode' => 'alloc', 'alloc_sample_bytes' => 4096]];
$programs = [
    'return' => 'work();',
    'exit' => 'work(); exit(3);',
    'exit in a callback' => 'work(); array_map(fn () => exit("bye\n"), [1]);',
    'exception' => 'work(); throw new LogicException("thrown");',
    'exception handler' => 'set_exception_handler(function ($e) { echo get_class($e), "\n"; }); work(); throw new LogicException("thrown");',
    'error' => 'work(); undefined_function();',
    'fatal' => 'work(); trigger_error("fatal", E_USER_ERROR);',
    'compile error' => 'work(); eval("class { ");',
    'redeclared' => 'work(); eval("function work() {}");',
    'memory_limit' => 'work(); $all = []; while (true) { $all[] = str_repeat("x", 100_000); }',
    'memory_limit, small blocks' => 'work(); $all = []; while (true) { $all[] = [1]; }',
    'memory_limit in a shutdown function' => 'work(); $all = []; register_shutdown_function(function () { $GLOBALS["more"] = []; while (true) { $GLOBALS["more"][] = [1, 2]; } }); while (true) { $all[] = [1]; }',
    'max_execution_time' => 'work(); set_time_limit(1); while (true) { strlen("x"); }',
    'shutdown functions' => 'register_shutdown_function(function () { echo "shutdown\n"; work(); }); work();',
    'exit in a shutdown function' => 'register_shutdown_function(function () { echo "shutdown\n"; exit(7); }); work();',
    'destructor' => 'class D { function __destruct() { echo "destructed\n"; work(); } } $d = new D(); work();',
    'output callback' => 'ob_start(function ($s) { work(); return strtoupper($s); }); echo "text\n"; work();',
    'fiber left' => '$f = new Fiber(function () { work(); Fiber::suspend(); }); $f->start();',
    'exit in a fiber' => '$f = new Fiber(function () { work(); exit(5); }); $f->start();',
    'generator left' => '$g = (function () { work(); yield 1; yield 2; })(); $g->current();',
    'within frames' => 'function outer() { work(); exit(4); } outer();',
];
foreach ($programs as $label => $code) {
    echo "$label\n"; // at once: run-tests.php ends a test that prints nothing for a minute
    // It works until the sampler, if there is one, has looked.
    $code = '<?php require ' . var_export(__DIR__ . '/../lib.inc', true) . '; function work() { $since = xhprof_test_looks();'
        . 'do { for ($i = 0; $i < 30_000; $i++) { strlen("x"); } $s = str_repeat("x", 100_000); } while (!xhprof_test_looked($since)); }' . $code;
    $more = ['memory_limit' => '8M', 'log_errors' => 0];
    $plain = xhprof_test_auto($code, ['start_with_request' => 'no'], [], $more);
    foreach ($modes as $mode => $ini) {
        $child = xhprof_test_auto($code, $ini + ['mode' => $mode], [], $more);
        $same = static fn (array $c): string => $c['code'] . "\n" . preg_replace(['~/[^ ]*xhprof-phpt[^ ]*/~', '/tried to allocate \d+/', '~ on line \d+|\(\d+\)~'], '', $c['out'] . $c['err']);
        $same($plain) === $same($child) || print("$label, $mode:\n--- without\n{$same($plain)}\n--- with\n{$same($child)}\n");
        if (count($child['runs']) !== 1) {
            echo "$label, $mode: ", count($child['runs']), " runs\n";
            continue;
        }
        $run = $child['runs'][0];
        $callee = array_filter(array_keys($run['edges']), static fn (string $key): bool => str_ends_with($key, '==>work'));
        $callee !== [] || print("$label, $mode: no work(): " . json_encode($run['edges']) . "\n");
        isset($run['ended_by']) && print("$label, $mode: ended by $run[ended_by]\n");
        $parts = match ($mode) {
            'exact' => 'tree',
            'alloc', 'sampled allocations' => 'memory tree',
            'sample' => 'samples tree',
        };
        implode(' ', $run['parts']) === $parts || print("$label, $mode: " . implode(' ', $run['parts']) . "\n");
        $others = xhprof_test_run_others($child['folder']);
        count($others) <= 1 || print("$label, $mode: " . implode(' ', $others) . "\n");
    }
}
?>
--EXPECT--
return
exit
exit in a callback
exception
exception handler
error
fatal
compile error
redeclared
memory_limit
memory_limit, small blocks
memory_limit in a shutdown function
max_execution_time
shutdown functions
exit in a shutdown function
destructor
output callback
fiber left
exit in a fiber
generator left
within frames
