--TEST--
xhprof.mode=aggregate: requests of a server, and of a quiet one
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

echo "xhprof.mode=aggregate: requests of a server are counted by route, and a window is one run:\n";

$clock = xhprof_test_clock();
$server = new XhprofTestServer(
    XHPROF_TEST_WORK . 'function page() { work(20); } page(); echo "body"; if (isset($_GET["fatal"])) { undefined(); }',
    ['mode' => 'aggregate', 'flush_seconds' => 1, 'sampling_interval' => 1000, 'trigger_value' => 's3cret'],
    ['display_errors' => 0],
    $clock,
);
$asked = [];
foreach (['/', '/users/1', '/users/22/', '/users/333?id=5', '/users/list', '/a?fatal=1', '/o/550e8400-e29b-41d4-a716-446655440000/x'] as $path) {
    for ($i = 0; $i < 3; $i++) {
        $answer = $server->request($path);
        $asked[] = "$answer[status] $answer[body]" . ($server->idOf($answer) ?? '');
    }
}
$server->request('/post/7', [], 'a=1&token=secret');
echo implode(', ', array_unique($asked)), "\n";
// A request of a later window brings those of the ones before.
xhprof_test_clock_goes($clock, 1000);
$server->request('/later');
$routes = xhprof_test_routes($runs = $server->runs(1), $server->folder);
unset($routes['GET /later']);
xhprof_test_show_requests($routes);
echo isset(xhprof_test_all_edges($runs)['GET /users/{id}==>page']) ? '' : "no path\n";
// Who asks for a profile gets one.
$answer = $server->request('/users/5', ['Cookie' => 'XHPROF_TRIGGER=s3cret']);
$id = $server->idOf($answer);
for ($i = 0; $i < 400 && !xhprof_test_run_saved($server->folder, "$id.auto"); $i++) {
    usleep(25_000);
}
$run = xhprof_test_run_part($server->folder, "$id.auto", 'meta');
echo "triggered: $run[start] $run[mode] $run[route]\n";
echo 'runs: ', count(xhprof_test_run_names($server->folder)), $server->isRunning() ? '' : ', and the server died', "\n";
$server->stop();

echo "xhprof.mode=aggregate: a quiet site's last window appears without another request, and what comes later has a window of its own:\n";

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
xhprof.mode=aggregate: requests of a server are counted by route, and a window is one run:
200 body
GET /: 3
GET /a: 3
GET /o/{id}/x: 3
GET /users/list: 3
GET /users/{id}: 6
GET /users/{id}/: 3
POST /post/{id}: 1
triggered: trigger exact GET /users/{id}
runs: 2
xhprof.mode=aggregate: a quiet site's last window appears without another request, and what comes later has a window of its own:
GET /a: 3
GET /a: 3
GET /b: 1
60 s later
runs
0
span: 2, child: 1
