--TEST--
xhprof.mode=aggregate: what several processes do in a window is one run, and none of their requests is lost
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'proc_open()'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';
require __DIR__ . '/../aggregate.inc';

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
job 0: 120
job 1: 120
window 0: 80 requests of 4
window 1: 80 requests of 4
window 2: 80 requests of 4
1 spool of 88 bytes
runs of short ones: 1
[1,10] 88
