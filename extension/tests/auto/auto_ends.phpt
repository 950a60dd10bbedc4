--TEST--
A profile that settings started is saved however the program ends, and the program runs, prints and ends as it does without
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';

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
$modes = [
    'exact' => ['flags' => 'cpu,memory'], 'alloc' => [], 'sample' => ['sampling_interval' => 200],
    'sampled allocations' => ['mode' => 'alloc', 'alloc_sample_bytes' => 4096],
];
foreach ($programs as $label => $code) {
    $code = '<?php function work() { for ($i = 0; $i < 30_000; $i++) { strlen("x"); } $s = str_repeat("x", 100_000); usleep(15_000); }' . $code;
    $more = ['memory_limit' => '8M', 'log_errors' => 0];
    $plain = xhprof_test_auto($code, ['start_with_request' => 'no'], [], $more);
    foreach ($modes as $mode => $ini) {
        // A busy machine may not let the sampler look for as long as work() takes.
        for ($try = 0; $try < ($mode === 'sample' ? 5 : 1); $try++) {
            $child = xhprof_test_auto($code, $ini + ['mode' => $mode], [], $more);
            if (preg_grep('/==>work$/', array_keys($child['runs'][0]['edges'] ?? [])) !== []) {
                break;
            }
        }
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
        $files = match ($mode) {
            'exact' => 'meta.json tree.json xhprof',
            'alloc', 'sampled allocations' => 'memory.json meta.json tree.json xhprof',
            'sample' => 'meta.json samples.json tree.json xhprof',
        };
        implode(' ', $run['files']) === $files || print("$label, $mode: " . implode(' ', $run['files']) . "\n");
        count([...glob("$child[folder]/*"), ...glob("$child[folder]/.[!.]*")]) <= count($run['files']) + (int) $run['operations'] + 1
            || print("$label, $mode: " . implode(' ', scandir($child['folder'])) . "\n");
    }
}
echo "done\n";
?>
--EXPECT--
done
