--TEST--
Ends of a worker's request that no return is: a fatal error, a signal, a fork, one left open by hand, one in a shutdown function
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap", '+pcntl', '+posix'); ?>
--FILE--
<?php
require __DIR__ . '/../worker.inc';

$before = <<<'PHP'
    function leaves_open(int $n): void { $n ? leaves_open($n - 1) : xhprof_begin_span('left open'); throw new LogicException(); }
    try { leaves_open(2); } catch (LogicException) {}
    handle('/first', fn () => answer());
    xhprof_begin_span('around');
    handle('/within', fn () => answer(500));
    xhprof_end_span();
    register_shutdown_function(static fn () => handle('/in-shutdown', fn () => answer()));
    PHP;
$ends = [
    'fatal error' => 'ini_set("memory_limit", "16M"); handle("/fatal", fn () => str_repeat("x", 900_000_000));',
    'no handler' => 'handle("/uncaught", fn () => undefined());',
    'signal' => 'handle("/signal", fn () => posix_kill(posix_getpid(), SIGTERM) && sleep(60));',
    'fork' => 'handle("/fork", function () { $pid = pcntl_fork(); if ($pid === 0) { exit; } pcntl_waitpid($pid, $status); return answer(); });',
];
foreach ($ends as $name => $end) {
    foreach (['exact', 'aggregate'] as $mode) {
        echo "-- $name, $mode\n";
        $result = xhprof_test_worker("$before\n$end", ['mode' => $mode], [], ['display_errors' => 0, 'log_errors' => 0], ['pcntl', 'posix']);
        ob_start();
        xhprof_test_show_worker($result, 'route', 'status', 'failed', 'ended_by');
        $lines = explode("\n", trim((string) ob_get_clean()));
        sort($lines); // forked processes are at the same time
        echo implode("\n", $lines), "\n";
    }
}
?>
--EXPECT--
-- fatal error, exact
GET /fatal | - | failed | shutdown
GET /first | 200 | - | -
GET /in-shutdown | 200 | - | -
around | - | - | -
code 255
left open | - | - | span
-- fatal error, aggregate
GET /fatal: 1, failed 1
GET /first: 1
GET /in-shutdown: 1
around: 1
code 255
left open: 1
-- no handler, exact
GET /first | 200 | - | -
GET /in-shutdown | 200 | - | -
GET /uncaught | - | failed | exception
around | - | - | -
code 255
left open | - | - | span
-- no handler, aggregate
GET /first: 1
GET /in-shutdown: 1
GET /uncaught: 1, failed 1
around: 1
code 255
left open: 1
-- signal, exact
GET /first | 200 | - | -
GET /signal | - | failed | SIGTERM
around | - | - | -
code 143
left open | - | - | span
-- signal, aggregate
GET /first: 1
GET /signal: 1, failed 1
around: 1
code 143
left open: 1
-- fork, exact
GET /first | 200 | - | -
GET /fork | - | - | exit
GET /fork | 200 | - | -
GET /in-shutdown | 200 | - | -
GET /in-shutdown | 200 | - | -
around | - | - | -
left open | - | - | span
-- fork, aggregate
GET /first: 1
GET /fork: 2
GET /in-shutdown: 2
around: 1
left open: 1
