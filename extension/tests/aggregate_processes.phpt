--TEST--
xhprof.mode=aggregate: what several processes do in a window is one run, and none of their requests is lost
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

const PROCESSES = 4;
const SPANS = 60;
$folder = xhprof_test_folder();
mkdir("$folder/runs");
file_put_contents("$folder/worker.php", XHPROF_TEST_WORK . <<<'PHP'
    for ($i = 0; $i < (int) $argv[1]; $i++) {
        xhprof_begin_span('job ' . $i % 2);
        work(5);
        xhprof_end_span();
        usleep(45_000);
    }
    PHP);
$ini = ['start_with_request' => 'no', 'mode' => 'aggregate', 'flush_seconds' => 1, 'sampling_interval' => 1000];
$command = [...xhprof_test_command(xhprof_test_auto_ini($ini, "$folder/runs")), "$folder/worker.php", (string) SPANS];
$start = microtime(true);
$workers = [];
for ($i = 0; $i < PROCESSES; $i++) {
    $workers[] = proc_open($command, [['file', '/dev/null', 'r'], STDOUT, STDERR], $pipes);
}
array_map(proc_close(...), $workers);
$seconds = microtime(true) - $start;
$runs = xhprof_test_runs("$folder/runs");
$routes = xhprof_test_routes($runs, "$folder/runs");
xhprof_test_show_requests($routes);
// One run for each period, which begins in the middle of a window, and at the end one for each that finds nobody else.
xhprof_test_between('runs', count($runs), 2, (int) ceil($seconds) + 1 + PROCESSES);
xhprof_test_between('most processes of a run', max(array_map(static fn (array $run): int => $run['aggregate']['processes'], $runs)), 2, PROCESSES);
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
$start = microtime(true);
for ($count = 0; $count < 10; $count++) {
    proc_close(proc_open($command, $null, $pipes));
}
$periods = (int) ceil((microtime(true) - $start) / 4) + 1;
xhprof_test_between('runs of short ones', count(glob("$folder/runs/*.meta.json")), 1, $periods);
// One that lives for longer than a window, and is alone, saves what is left.
file_put_contents("$folder/long.php", XHPROF_TEST_WORK . 'work(50); sleep(5);');
proc_close(proc_open([...xhprof_test_command(xhprof_test_auto_ini($ini, "$folder/runs")), "$folder/long.php"], $null, $pipes));
$routes = xhprof_test_routes(xhprof_test_runs("$folder/runs"), "$folder/runs");
echo json_encode(array_column($routes, 'requests')), ' ', filesize(glob("$folder/runs/.xhprof-aggregate*")[0]), "\n";
?>
--EXPECT--
job 0: 120
job 1: 120
runs: ok
most processes of a run: ok
1 spool of 64 bytes
runs of short ones: ok
[1,10] 64
