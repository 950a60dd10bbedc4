--TEST--
xhprof.mode=aggregate: what signals and sudden ends leave
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'proc_open()', 'Linux'); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

echo "xhprof.mode=aggregate: what a worker has merged survives its sudden end, and goes with its own window, once:\n";

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

echo "xhprof.mode=aggregate: a signal that ends a worker loses nothing, within a span and between spans, nor of a program as a whole:\n";

$spans = XHPROF_TEST_WORK . 'for ($i = 0; $i < 5; $i++) { xhprof_begin_span("job"); work(10); xhprof_end_span(); } ';
$programs = [
    'between spans, asleep' => 'echo "ready\n"; sleep(30);',
    'between spans, at work' => 'echo "ready\n"; work(30000);',
    'within a span, asleep' => 'xhprof_begin_span("last"); echo "ready\n"; sleep(30);',
    'within a span, at work' => 'xhprof_begin_span("last"); echo "ready\n"; work(30000);',
];
foreach ($programs as $label => $program) {
    foreach ([15, 2] as $signal) {
        $ini = ['mode' => 'aggregate', 'flush_seconds' => 3600, 'sampling_interval' => 1000, 'start_with_request' => 'no'];
        $within = str_starts_with($label, 'within');
        $result = xhprof_test_signal($spans . $program, [[300, $signal]], $ini, sampled: $within);
        $routes = xhprof_test_routes($result['runs'], $result['folder']);
        echo "$label: signal $result[signal] ", json_encode(array_map(static fn (array $route): int => $route['requests'], $routes));
        // The signal comes when the sampler has looked after these 300 ms, each of which a sample stands for, but for the last ones.
        $samples = $routes['last']['samples'] ?? 0;
        echo $within && $samples < 250 ? " $samples samples" : '', "\n";
    }
}
// A program as a whole, with the window in which it is ended and those before.
$program = XHPROF_TEST_WORK . 'require ' . var_export(__DIR__ . '/../lib.inc', true) . ';'
    . 'function until_seen() { $since = xhprof_test_looks(); do { work(20); } while (!xhprof_test_looked($since)); }'
    . 'function early() { until_seen(); } function late() { until_seen(); } early(); clock_goes(2000); late(); echo "ready\n"; ';
foreach (['asleep' => 'sleep(30);', 'at work' => 'work(30000);'] as $label => $end) {
    foreach ([15, 2, 1] as $signal) {
        $ini = ['mode' => 'aggregate', 'flush_seconds' => 1, 'sampling_interval' => 1000, 'start_with_request' => 'yes'];
        putenv('XHPROF_TEST_CLOCK=' . xhprof_test_clock()['XHPROF_TEST_CLOCK']);
        $result = xhprof_test_signal($program . $end, [[30, $signal]], $ini, sampled: true);
        $seen = preg_grep('/==>(early|late)$/', array_keys(xhprof_test_all_edges($result['runs'])));
        $requests = array_column(array_column($result['runs'], 'aggregate'), 'requests');
        echo "program $label: signal $result[signal], requests ", json_encode($requests), ' ',
            implode(' ', preg_replace('/^.*==>/', '', $seen)), "\n";
    }
}
?>
--EXPECT--
xhprof.mode=aggregate: what a worker has merged survives its sudden end, and goes with its own window, once:
3 journals of 600
job 0: 600
job 1: 600
window 0 to 1: 600 requests of 3
window 1 to 2: 600 requests of 3
0 journals are left
xhprof.mode=aggregate: a signal that ends a worker loses nothing, within a span and between spans, nor of a program as a whole:
between spans, asleep: signal 15 {"job":5}
between spans, asleep: signal 2 {"job":5}
between spans, at work: signal 15 {"job":5}
between spans, at work: signal 2 {"job":5}
within a span, asleep: signal 15 {"job":5,"last":1}
within a span, asleep: signal 2 {"job":5,"last":1}
within a span, at work: signal 15 {"job":5,"last":1}
within a span, at work: signal 2 {"job":5,"last":1}
program asleep: signal 15, requests [0,1] early late
program asleep: signal 2, requests [0,1] early late
program asleep: signal 1, requests [0,1] early late
program at work: signal 15, requests [0,1] early late
program at work: signal 2, requests [0,1] early late
program at work: signal 1, requests [0,1] early late
