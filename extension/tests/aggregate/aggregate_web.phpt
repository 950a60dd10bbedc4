--TEST--
xhprof.mode=aggregate: requests of a server are counted by route, and a window is one run
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';
require __DIR__ . '/../aggregate.inc';

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
?>
--EXPECT--
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
