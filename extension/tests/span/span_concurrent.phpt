--TEST--
Spans that are open at once in fibers: each is whole, with its own work and its whole latency; one around a fiber with a span of its own keeps the rest; spans of one fiber end as before, and ends of those that others ended raise nothing
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock'); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

$jobs = <<<'PHP'
    function alpha() { work(20); Fiber::suspend(); work(20); }
    function beta() { work(20); Fiber::suspend(); work(20); }
    function gamma() { work(20); Fiber::suspend(); work(20); }
    $fibers = [];
    foreach (['alpha', 'beta', 'gamma'] as $name) {
        $fibers[] = new Fiber(static function () use ($name): void { $span = xhprof_span("GET /$name"); $name(); $span->end(); });
    }
    foreach ($fibers as $fiber) { $fiber->start(); }
    foreach ($fibers as $fiber) { $fiber->resume(); }
    PHP;
$around = <<<'PHP'
    $batch = xhprof_span('batch');
    work(20);
    $fiber = new Fiber(static function (): void { $item = xhprof_span('item'); work(10); Fiber::suspend(); work(10); $item->end(); });
    $fiber->start();
    work(20);
    $fiber->resume();
    work(20);
    $batch->end();
    PHP;
$below = <<<'PHP'
    $span = xhprof_span('all its own');
    $fiber = new Fiber(static function (): void { work(5); Fiber::suspend(); (new Fiber(static function (): void { work(5); }))->start(); });
    $fiber->start();
    work(5);
    $fiber->resume();
    $span->end();
    PHP;
// Without fibers: an event loop's callbacks, and a handler that would throw at any warning.
$loop = <<<'PHP'
    set_error_handler(static function (int $type, string $message): never { throw new ErrorException($message); });
    xhprof_begin_span('A');
    work(2);
    xhprof_begin_span('B');
    work(2);
    echo implode(' ', array_map(get_debug_type(...), [xhprof_end_span(), xhprof_end_span()])), "\n";
    try { xhprof_end_span(); } catch (ErrorException $e) { echo $e->getMessage(), "\n"; }
    PHP;
foreach (['jobs' => $jobs, 'around' => $around, 'below' => $below, 'loop' => $loop] as $label => $code) {
    $result = xhprof_test_aggregate($code);
    echo "-- $label, aggregate: code $result[code]", rtrim(" $result[out]$result[err]"), "\n";
    $routes = xhprof_test_routes($result['runs'], $result['folder']);
    $lines = [];
    foreach ($result['runs'] as $run) {
        foreach ($run['aggregate']['routes'] as $name => $route) {
            if (!str_contains($name, '.php') && $name !== '(between requests)') {
                $lines[] = sprintf('%s: requests %d, suspended %d, cut %d, mixed %d%s', $name, $route['requests'], $route['suspended']['requests'] ?? 0, $route['cut'] ?? 0, $route['mixed'] ?? 0, isset($route['unsampled']) ? ', partly without samples' : '');
            }
        }
    }
    sort($lines);
    echo implode("\n", $lines), "\n";
    // From begin to end: what lies between is at least this long on any machine. CPU time is not what others had, nor is it suspended.
    foreach (['GET /alpha', 'GET /beta', 'GET /gamma', 'batch'] as $name) {
        if (isset($routes[$name]) && $routes[$name]['wall_us'] < 60_000) {
            echo "$name: ", json_encode($routes[$name]), "\n";
        }
    }
    foreach ($result['runs'] as $run) {
        foreach ($run['aggregate']['routes'] as $name => $route) {
            // Clocks may differ by a little.
            if ($route['cpu_us'] > ($route['wall_us'] - ($route['suspended']['us'] ?? 0)) * 1.01 + 1000 && $name !== '(between requests)') {
                echo "$name has CPU time of others: ", json_encode($route), "\n";
            }
        }
    }
    $edges = xhprof_test_all_edges($result['runs']);
    foreach (['GET /alpha==>beta', 'GET /alpha==>gamma', 'GET /beta==>gamma', 'batch==>item'] as $wrong) {
        isset($edges[$wrong]) && print("$wrong\n");
    }
    $result = xhprof_test_aggregate($code, ['mode' => 'exact']);
    echo "-- $label, exact: code $result[code]", rtrim(" $result[out]$result[err]"), "\n";
    foreach ($result['runs'] as $run) {
        isset($run['name']) && printf("%s: %s%s\n", $run['name'], $run['ended_by'] ?? 'whole', isset($run['other_fibers']) ? ", other fibers $run[other_fibers]" : '');
    }
}
?>
--EXPECT--
-- jobs, aggregate: code 0
GET /alpha: requests 1, suspended 1, cut 0, mixed 0
GET /beta: requests 1, suspended 1, cut 0, mixed 0
GET /gamma: requests 1, suspended 1, cut 0, mixed 0
-- jobs, exact: code 0
GET /alpha: whole
GET /beta: whole
GET /gamma: whole
-- around, aggregate: code 0
batch: requests 1, suspended 1, cut 0, mixed 0
item: requests 1, suspended 1, cut 0, mixed 0
-- around, exact: code 0
batch: whole
item: whole
-- below, aggregate: code 0
all its own: requests 1, suspended 0, cut 0, mixed 0
-- below, exact: code 0
all its own: whole
-- loop, aggregate: code 0 null null
xhprof_end_span(): No span has begun
A: requests 1, suspended 0, cut 0, mixed 0
B: requests 1, suspended 0, cut 0, mixed 0
-- loop, exact: code 0 string null
xhprof_end_span(): No span has begun
A: span
B: whole
