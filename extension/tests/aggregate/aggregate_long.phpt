--TEST--
xhprof.mode=aggregate: what a program that runs for long does goes with the windows in which it does it; it counts at its end
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'proc_open()'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';
require __DIR__ . '/../aggregate.inc';

// On a busy machine the sampler's thread gets a processor late: the program works until it has looked.
$program = 'require ' . var_export(__DIR__ . '/../lib.inc', true) . ';'
    . 'function until_seen(callable $work) { $since = xhprof_test_looks(); do { $work(); } while (!xhprof_test_looked($since)); }';
$result = xhprof_test_aggregate($program . 'function early() { until_seen(fn () => work(20)); }'
    . 'function between() { until_seen(fn () => work(20)); } function late() { until_seen(fn () => work(20)); }'
    . 'early(); clock_goes(1000); between(); clock_goes(2500); late();');
$routes = xhprof_test_routes($result['runs'], $result['folder']);
foreach ($routes as $name => $route) {
    echo basename($name), ": $route[requests]\n";
}
$start = $result['runs'][0]['aggregate']['from'];
foreach ($result['runs'] as $run) {
    $edges = preg_grep('/==>(early|between|late)$/', preg_replace('~^.*/~', '', array_keys($run['edges'])));
    echo $run['aggregate']['from'] - $start, ' to ', $run['aggregate']['to'] - $start, ': ', implode(' ', $edges), ', requests: ', $run['aggregate']['requests'], "\n";
}
// A window in which nothing was sampled, and no request ended, is not written: here the one in which the program begins. That takes
// less than an interval of CPU time in an emulator, too. By CPU time the thread looks more often than it samples: four intervals.
$result = xhprof_test_aggregate($program . 'function cpu_us() { $use = getrusage(); return $use["ru_utime.tv_sec"] * 1_000_000 + $use["ru_utime.tv_usec"]; }'
    . 'function busy() { $end = cpu_us() + 1_100_000; while (cpu_us() < $end) { inner(); } }'
    . 'clock_goes(1000); until_seen(busy(...)); clock_goes(2000); until_seen(busy(...));', ['sampling_clock' => 'cpu', 'sampling_interval' => 250_000]);
foreach ($result['runs'] as $run) {
    echo $run['samples'] > 0 ? 'samples' : 'nothing', ', requests: ', $run['aggregate']['requests'], "\n";
}
?>
--EXPECT--
program.php: 1
0 to 1: program.php==>early, requests: 0
1 to 2: program.php==>between, requests: 0
3 to 4: program.php==>late, requests: 1
samples, requests: 0
samples, requests: 1
