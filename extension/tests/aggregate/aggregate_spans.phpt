--TEST--
xhprof.mode=aggregate: spans are counted and sampled below their names, and a window of some of them is one run
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'proc_open()'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';
require __DIR__ . '/../aggregate.inc';

foreach (['auto', 'off'] as $hooks) {
    $result = xhprof_test_aggregate(<<<'PHP'
        $begun = $ended = [];
        for ($i = 0; $i < 60; $i++) {
            $begun[] = xhprof_begin_span('job ' . ['a', 'b', 'c'][$i % 3]);
            $i % 3 === 2 || work(50);
            $ended[] = xhprof_end_span();
            $i % 20 === 19 && clock_goes(700);
        }
        echo json_encode([array_unique($begun, SORT_REGULAR), array_unique($ended, SORT_REGULAR), xhprof_disable(), xhprof_call_tree()]), "\n";
        PHP, ['hooks' => $hooks, 'start_with_request' => 'no']);
    echo "hooks=$hooks: $result[out]$result[err]";
    $runs = $result['runs'];
    $routes = xhprof_test_routes($runs, $result['folder']);
    xhprof_test_show_requests($routes);
    $start = $runs[0]['aggregate']['from'];
    foreach ($runs as $run) {
        echo 'window ', $run['aggregate']['from'] - $start, ' to ', $run['aggregate']['to'] - $start, ": {$run['aggregate']['requests']}\n";
    }
    foreach (['job a', 'job b'] as $name) {
        $route = $routes[$name];
        xhprof_test_between("$name: wall", $route['wall_us'], 1_000_000, 60_000_000);
        xhprof_test_between("$name: longest", $route['max_us'], 50_000, 30_000_000);
        xhprof_test_between("$name: samples of wall", $route['samples'] * 1000 / $route['wall_us'], 0.8, 1.6);
    }
    $edges = xhprof_test_all_edges($runs);
    foreach (['main()==>job a', 'job a==>work', 'job b==>work', 'work==>inner', 'inner==>md5', 'main()==>work'] as $edge) {
        echo "$edge: ", isset($edges[$edge]) ? 'yes' : 'no', "\n";
    }
    $spools = array_map(basename(...), glob("$result[folder]/.xhprof-aggregate*"));
    echo preg_replace('/\.\d+\./', '.UID.', implode(' ', $spools), 1), "\n";
}
?>
--EXPECT--
hooks=auto: [[true],[null],null,null]
job a: 20
job b: 20
job c: 20
window 0 to 1: 40
window 1 to 2: 20
job a: wall: ok
job a: longest: ok
job a: samples of wall: ok
job b: wall: ok
job b: longest: ok
job b: samples of wall: ok
main()==>job a: yes
job a==>work: yes
job b==>work: yes
work==>inner: yes
inner==>md5: yes
main()==>work: no
.xhprof-aggregate.auto.UID.1-1000-wall.spool
hooks=off: [[true],[null],null,null]
job a: 20
job b: 20
job c: 20
window 0 to 1: 40
window 1 to 2: 20
job a: wall: ok
job a: longest: ok
job a: samples of wall: ok
job b: wall: ok
job b: longest: ok
job b: samples of wall: ok
main()==>job a: yes
job a==>work: yes
job b==>work: yes
work==>inner: yes
inner==>md5: yes
main()==>work: no
.xhprof-aggregate.auto.UID.1-1000-wall.spool
