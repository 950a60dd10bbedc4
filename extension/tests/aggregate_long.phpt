--TEST--
xhprof.mode=aggregate: what a program that runs for long does goes with the windows in which it does it; it counts at its end
--SKIPIF--
<?php
if (!function_exists('proc_open')) {
    die('skip needs proc_open');
}
?>
--FILE--
<?php
require __DIR__ . '/lib.inc';
require __DIR__ . '/auto.inc';
require __DIR__ . '/aggregate.inc';

$result = xhprof_test_aggregate('function early() { work(1500); } function late() { work(1500); } early(); late();');
$routes = xhprof_test_routes($result['runs'], $result['folder']);
foreach ($routes as $name => $route) {
    echo basename($name), ": $route[requests]\n";
}
xhprof_test_between('runs', count($result['runs']), 3, 60);
xhprof_test_between('samples', $route['samples'], 2900, $route['wall_us'] / 700);
$requests = array_map(static fn (array $run): int => $run['aggregate']['requests'], $result['runs']);
echo 'requests of the windows but the last: ', array_sum(array_slice($requests, 0, -1)), ', of the last: ', end($requests), "\n";
$first = array_keys($result['runs'][0]['edges']);
$last = array_keys(end($result['runs'])['edges']);
echo 'first: ', implode(' ', preg_grep('/==>(early|late)$/', preg_replace('~^.*/~', '', $first))), "\n";
echo 'last: ', implode(' ', preg_grep('/==>(early|late)$/', preg_replace('~^.*/~', '', $last))), "\n";
?>
--EXPECT--
program.php: 1
runs: ok
samples: ok
requests of the windows but the last: 0, of the last: 1
first: program.php==>early
last: program.php==>late
