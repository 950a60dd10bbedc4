--TEST--
xhprof.mode=aggregate: what a worker has merged survives its sudden end, and goes with its own window, once
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'proc_open()', 'Linux'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';
require __DIR__ . '/../aggregate.inc';

const WORKERS = 3;
$folder = xhprof_test_folder();
mkdir("$folder/runs");
file_put_contents("$folder/worker.php", XHPROF_TEST_WORK . <<<'PHP'
    while (fgets(STDIN) === "work\n") {
        for ($i = 0; $i < 200; $i++) {
            xhprof_begin_span('job ' . $i % 2);
            $i % 50 || work(5);
            xhprof_end_span();
        }
        echo "done\n";
    }
    PHP);
$ini = ['start_with_request' => 'no', 'mode' => 'aggregate', 'flush_seconds' => 1, 'sampling_interval' => 1000];
$command = [...xhprof_test_command(xhprof_test_auto_ini($ini, "$folder/runs")), "$folder/worker.php"];
$clock = xhprof_test_clock();
$start = static function () use ($command, $clock): array {
    $process = proc_open($command, [['pipe', 'r'], ['pipe', 'w'], STDERR], $pipes, null, $clock + getenv());
    return [$process, ...$pipes];
};
$work = static function (array $worker): void {
    fwrite($worker[1], "work\n");
    fgets($worker[2]) === "done\n" || print("a worker is gone\n");
};
$workers = array_map($start, range(1, WORKERS));
array_map($work, $workers);
$journals = glob("$folder/runs/.xhprof-aggregate.*.journal");
echo count($journals), ' journals of ', implode(' ', array_unique(array_map(static fn (string $file): string
    => decoct(fileperms($file) & 0777), $journals))), "\n";
foreach ($workers as [$process]) {
    proc_terminate($process, 9);
    proc_close($process);
}
// The next ones come in a later window.
xhprof_test_clock_goes($clock, 1500);
$workers = array_map($start, range(1, WORKERS));
array_map($work, $workers);
proc_terminate($workers[0][0], 9);
proc_close($workers[0][0]);
xhprof_test_clock_goes($clock, 1000);
foreach (array_slice($workers, 1) as [$process, $in]) {
    fclose($in);
    proc_close($process);
}
$runs = xhprof_test_runs("$folder/runs");
xhprof_test_show_requests(xhprof_test_routes($runs, "$folder/runs"));
$from = $runs[0]['aggregate']['from'];
foreach ($runs as $run) {
    echo 'window ', $run['aggregate']['from'] - $from, ' to ', $run['aggregate']['to'] - $from,
        ": {$run['aggregate']['requests']} requests of {$run['aggregate']['processes']}\n";
}
echo count(glob("$folder/runs/.xhprof-aggregate.*.journal")), " journals are left\n";
?>
--EXPECT--
3 journals of 600
job 0: 600
job 1: 600
window 0 to 1: 600 requests of 3
window 1 to 2: 600 requests of 3
0 journals are left
