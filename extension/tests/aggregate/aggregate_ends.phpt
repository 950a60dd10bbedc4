--TEST--
xhprof.mode=aggregate: requests that end by exit, an exception, a fatal error or memory_limit count, with what they did
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'proc_open()'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';
require __DIR__ . '/../aggregate.inc';

$ends = [
    'end' => '',
    'exit' => 'exit(3);',
    'exception' => 'throw new Exception("x");',
    'fatal error' => 'undefined();',
    'memory_limit' => '$x = str_repeat("x", 1 << 30);',
    'memory_limit, little by little' => '$x = []; while (true) { $x[] = [1, 2, 3, count($x)]; }',
    'max_execution_time' => 'set_time_limit(1); while (true) { inner(); }',
    'span is open' => 'xhprof_begin_span("open"); work(30);',
    'span, exit' => 'xhprof_begin_span("open"); work(30); exit(3);',
    'span, memory_limit' => 'xhprof_begin_span("open"); work(30); $x = []; while (true) { $x[] = [1, 2, 3, count($x)]; }',
    'shutdown function' => 'register_shutdown_function(function () { later(); }); function later() { work(60); }',
    'in a fiber' => '$f = new Fiber(function () { work(40); exit(3); }); $f->start();',
    // From 8.3 on the engine keeps a reserve of each stack for itself.
    'in a small fiber' => 'ini_set("fiber.stack_size", ini_get("zend.reserved_stack_size") === false ? 40960 : 65536); $f = new Fiber(function () { xhprof_begin_span("fiber"); '
        . 'work(1500); xhprof_end_span(); echo "whole"; }); $f->start();',
];
foreach ($ends as $label => $end) {
    // One window for all of it, but where a fiber with little room is to see one end.
    $seconds = $label === 'in a small fiber' ? 1 : 3600;
    $paths = preg_match('/"open"|later\(\)/', $end) ? 2 : 1;
    for ($try = 0; $try < 5; $try++) { // on a busy machine the timer's thread may not run for as long
        $result = xhprof_test_aggregate("function request() { work(40); } request(); $end", ['flush_seconds' => $seconds], ['memory_limit' => '32M', 'display_errors' => 0]);
        $routes = xhprof_test_routes($result['runs'], $result['folder']);
        $line = "$label: code $result[code]";
        foreach ($routes as $name => $route) {
            $name = preg_replace('~^xhprof.*/(?=program)~', '', $name);
            $line .= ', ' . basename($name) . " $route[requests] " . ($route['samples'] >= 20 && $route['wall_us'] >= 20_000 ? 'ok' : json_encode($route)) . ($route['failed'] ? ' failed' : '');
        }
        $edges = xhprof_test_all_edges($result['runs']);
        $seen = array_filter(['request==>work', 'later==>work', 'open==>work', 'fiber==>{closure'], static fn (string $edge): bool =>
            preg_grep('/^' . preg_quote($edge) . '/', array_keys($edges)) !== []);
        if (count($seen) >= $paths && !str_contains($line, '{')) {
            break;
        }
    }
    echo $line, ', ', implode(' ', $seen), $result['out'] === '' ? '' : " $result[out]", "\n";
}
?>
--EXPECT--
end: code 0, program.php 1 ok, request==>work
exit: code 3, program.php 1 ok, request==>work
exception: code 255, program.php 1 ok failed, request==>work
fatal error: code 255, program.php 1 ok failed, request==>work
memory_limit: code 255, program.php 1 ok failed, request==>work
memory_limit, little by little: code 255, program.php 1 ok failed, request==>work
max_execution_time: code 255, program.php 1 ok failed, request==>work
span is open: code 0, open 1 ok, program.php 1 ok, request==>work open==>work
span, exit: code 3, open 1 ok, program.php 1 ok, request==>work open==>work
span, memory_limit: code 255, open 1 ok failed, program.php 1 ok failed, request==>work open==>work
shutdown function: code 0, program.php 1 ok, request==>work later==>work
in a fiber: code 3, program.php 1 ok, request==>work
in a small fiber: code 0, fiber 1 ok, program.php 1 ok, request==>work whole
