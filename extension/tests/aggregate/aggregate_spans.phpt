--TEST--
xhprof.mode=aggregate: windows of programs that run for long, in one process and in several
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'proc_open()'); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

echo "xhprof.mode=aggregate: spans are counted and sampled below their names, and a window of some of them is one run:\n";

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

echo "xhprof.mode=aggregate: what a program that runs for long does goes with the windows in which it does it; it counts at its end:\n";

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

echo "xhprof.mode=aggregate: what several processes do in a window is one run, and no request is lost:\n";

const PROCESSES = 4;
$folder = xhprof_test_folder();
mkdir("$folder/runs");
file_put_contents("$folder/worker.php", XHPROF_TEST_WORK . <<<'PHP'
    while (fgets(STDIN) === "work\n") {
        for ($i = 0; $i < 20; $i++) {
            xhprof_begin_span('job ' . $i % 2);
            work(5);
            xhprof_end_span();
        }
        echo "done\n";
    }
    PHP);
$ini = ['start_with_request' => 'no', 'mode' => 'aggregate', 'flush_seconds' => 1, 'sampling_interval' => 1000];
$command = [...xhprof_test_command(xhprof_test_auto_ini($ini, "$folder/runs")), "$folder/worker.php"];
$clock = xhprof_test_clock();
$workers = $pipes = [];
for ($i = 0; $i < PROCESSES; $i++) {
    $workers[] = proc_open($command, [['pipe', 'r'], ['pipe', 'w'], STDERR], $pipes[], null, $clock + getenv());
}
for ($window = 0; $window < 3; $window++) {
    foreach ($pipes as [$in]) {
        fwrite($in, "work\n");
    }
    foreach ($pipes as [, $out]) {
        fgets($out) === "done\n" || print("a worker is gone\n");
    }
    xhprof_test_clock_goes($clock, 1000);
}
foreach ($pipes as [$in]) {
    fclose($in);
}
array_map(proc_close(...), $workers);
$runs = xhprof_test_runs("$folder/runs");
xhprof_test_show_requests(xhprof_test_routes($runs, "$folder/runs"));
$start = $runs[0]['aggregate']['from'];
foreach ($runs as $run) {
    echo 'window ', $run['aggregate']['from'] - $start, ": {$run['aggregate']['requests']} requests of {$run['aggregate']['processes']}\n";
}
$spools = glob("$folder/runs/.xhprof-aggregate*");
echo count($spools), ' spool of ', filesize($spools[0]), " bytes\n";

// Short ones, one after the other: not a run each, and nothing is lost when others come later.
$folder = xhprof_test_folder();
mkdir("$folder/runs");
file_put_contents("$folder/short.php", XHPROF_TEST_WORK . 'work(20);');
$ini['start_with_request'] = 'yes';
$ini['flush_seconds'] = 4;
$command = [...xhprof_test_command(xhprof_test_auto_ini($ini, "$folder/runs")), "$folder/short.php"];
$null = [['file', '/dev/null', 'r'], STDOUT, STDERR];
for ($count = 0; $count < 10; $count++) {
    proc_close(proc_open($command, $null, $more, null, $clock + getenv()));
}
echo 'runs of short ones: ', count(xhprof_test_run_names("$folder/runs")), "\n";
// One that lives for longer than a window, and is alone, saves what is left.
file_put_contents("$folder/long.php", XHPROF_TEST_WORK . 'work(50); clock_goes(5000);');
proc_close(proc_open([...xhprof_test_command(xhprof_test_auto_ini($ini, "$folder/runs")), "$folder/long.php"], $null, $more, null, $clock + getenv()));
$routes = xhprof_test_routes(xhprof_test_runs("$folder/runs"), "$folder/runs");
echo json_encode(array_column($routes, 'requests')), ' ', filesize(glob("$folder/runs/.xhprof-aggregate*")[0]), "\n";
?>
--EXPECT--
xhprof.mode=aggregate: spans are counted and sampled below their names, and a window of some of them is one run:
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
xhprof.mode=aggregate: what a program that runs for long does goes with the windows in which it does it; it counts at its end:
program.php: 1
0 to 1: program.php==>early, requests: 0
1 to 2: program.php==>between, requests: 0
3 to 4: program.php==>late, requests: 1
samples, requests: 0
samples, requests: 1
xhprof.mode=aggregate: what several processes do in a window is one run, and no request is lost:
job 0: 120
job 1: 120
window 0: 80 requests of 4
window 1: 80 requests of 4
window 2: 80 requests of 4
1 spool of 88 bytes
runs of short ones: 1
[1,10] 88
