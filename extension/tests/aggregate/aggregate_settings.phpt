--TEST--
xhprof.mode=aggregate: runs are of one release and of one set of settings
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'proc_open()'); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

echo "xhprof.mode=aggregate: requests with other settings are other runs; what a server has left is saved by the next one:\n";

$show = static function (array $runs, string $folder): void {
    xhprof_test_routes($runs, $folder);
    $lines = array_map(static fn (array $run): string => implode(' ', [$run['sample_interval_us'], $run['sampling']['clock'],
        preg_replace('/(\\\\u00e9)+/', 'é...', json_encode(array_map(static fn (array $route): int => $route['requests'], $run['aggregate']['routes']))),
        implode(' ', array_keys($run['totals']))]), $runs);
    sort($lines, SORT_NATURAL);
    echo implode("\n", $lines), "\n";
};

// More of them than a process holds at once; a window of an hour, and a run of each when the process ends.
$result = xhprof_test_aggregate(<<<'PHP'
    foreach ([1, 2, 3] as $round) {
        foreach ([1000, 2000, 3000, 4000, 5000, 6000] as $interval) {
            foreach (['wall', 'cpu'] as $clock) {
                ini_set('xhprof.sampling_interval', $interval);
                ini_set('xhprof.sampling_clock', $clock);
                xhprof_begin_span("$round");
                work(20);
                xhprof_end_span();
            }
        }
    }
    PHP, ['flush_seconds' => 3600, 'start_with_request' => 'no']);
echo $result['out'], $result['err'];
// What did not fit any more was saved with the first rounds, or waits for the next process.
$runs = $result['runs'];
$requests = array_sum(array_map(static fn (array $run): int => $run['aggregate']['requests'], $runs));
$intervals = array_unique(array_map(static fn (array $run): string => $run['sample_interval_us'] . $run['sampling']['clock'], $runs));
echo count($runs), ' runs, ', count($intervals), ' kinds', $requests > 11 ? '' : ", $requests requests", "\n";
xhprof_test_routes($runs, $result['folder']);

// Nothing that is sampled: requests count all the same.
$result = xhprof_test_aggregate('xhprof_begin_span("short"); xhprof_end_span(); xhprof_begin_span("\xff\"</x>"); xhprof_end_span();'
    . 'xhprof_begin_span(""); xhprof_end_span(); xhprof_begin_span(str_repeat("é", 150)); xhprof_end_span();',
    ['sampling_interval' => 4_000_000_000, 'flush_seconds' => 3600, 'start_with_request' => 'no']);
$show($result['runs'], $result['folder']);

// A process that is killed leaves what it had merged; one with other settings saves it.
$folder = xhprof_test_folder();
mkdir("$folder/runs");
file_put_contents("$folder/program.php", XHPROF_TEST_WORK
    . 'for ($i = 0; $i < (int) $argv[1]; $i++) { xhprof_begin_span("job"); work((int) $argv[2]); xhprof_end_span(); } if (isset($argv[3])) { echo "done\n"; sleep(60); }');
$ini = ['start_with_request' => 'no', 'mode' => 'aggregate', 'flush_seconds' => 3, 'sampling_interval' => 1000];
$idle = xhprof_test_auto_ini(['sampling_interval' => 1000] + $ini, "$folder/runs");
$clock = xhprof_test_clock();
$environment = $clock + getenv();
$first = proc_open([...xhprof_test_command($idle), "$folder/program.php", '1', '1', 'stay'], [['file', '/dev/null', 'r'], ['pipe', 'w'], STDERR], $pipes, null, $environment);
fgets($pipes[1]); // has data, and does not bring them
$second = proc_open([...xhprof_test_command($idle), "$folder/program.php", '3', '1'], [['file', '/dev/null', 'r'], STDOUT, STDERR], $more, null, $environment);
proc_close($second);
echo 'runs while another one has data: ', count(xhprof_test_run_names("$folder/runs")), "\n";
proc_terminate($first, 9);
proc_close($first);
xhprof_test_clock_goes($clock, 4000); // its window is over
$third = proc_open([...xhprof_test_command(xhprof_test_auto_ini(['sampling_interval' => 7000] + $ini, "$folder/runs")), "$folder/program.php", '1', '50'],
    [['file', '/dev/null', 'r'], STDOUT, STDERR], $more, null, $environment);
proc_close($third);
$show(xhprof_test_runs("$folder/runs"), "$folder/runs");

echo "xhprof.mode=aggregate: a run is of one release, also where it changes in the middle of a window:\n";

$show = static function (array $runs, string $folder): void {
    xhprof_test_routes($runs, $folder);
    $lines = array_map(static fn (array $run): string => ($run['release'] ?? 'none') . ' '
        . json_encode(array_map(static fn (array $route): int => $route['requests'], $run['aggregate']['routes'])), $runs);
    sort($lines, SORT_NATURAL);
    echo implode("\n", $lines), "\n";
};

// Turns of two releases in one window, and a request whose program sets it before it ends.
$result = xhprof_test_aggregate(<<<'PHP'
    foreach (['1.0', '1.1', '1.0', '1.1', '1.0', ''] as $release) {
        ini_set('xhprof.release', $release);
        xhprof_begin_span("job");
        work(5);
        xhprof_end_span();
    }
    xhprof_begin_span("late");
    ini_set('xhprof.release', '2.0');
    work(5);
    xhprof_end_span();
    PHP, ['flush_seconds' => 3600, 'start_with_request' => 'no']);
echo $result['out'], $result['err'];
$show($result['runs'], $result['folder']);

// A process that is killed leaves what it had merged; one of the next release saves it as that of the old one.
$folder = xhprof_test_folder();
mkdir("$folder/runs");
file_put_contents("$folder/program.php", XHPROF_TEST_WORK
    . 'xhprof_begin_span("job"); work(5); xhprof_end_span(); if (isset($argv[1])) { echo "done\n"; sleep(60); }');
$ini = ['start_with_request' => 'no', 'mode' => 'aggregate', 'flush_seconds' => 3, 'sampling_interval' => 1000];
$command = static fn (string $release): array => [
    ...xhprof_test_command(xhprof_test_auto_ini(['release' => $release] + $ini, "$folder/runs")), "$folder/program.php",
];
$clock = xhprof_test_clock();
$environment = $clock + getenv();
$first = proc_open([...$command('1.0.0'), 'stay'], [['file', '/dev/null', 'r'], ['pipe', 'w'], STDERR], $pipes, null, $environment);
fgets($pipes[1]); // has data, and does not bring them
$second = proc_open($command('1.0.0'), [['file', '/dev/null', 'r'], STDOUT, STDERR], $more, null, $environment);
proc_close($second);
proc_terminate($first, 9);
proc_close($first);
xhprof_test_clock_goes($clock, 4000); // its window is over
$third = proc_open($command('1.0.1'), [['file', '/dev/null', 'r'], STDOUT, STDERR], $more, null, $environment);
proc_close($third);
$show(xhprof_test_runs("$folder/runs"), "$folder/runs");
?>
--EXPECT--
xhprof.mode=aggregate: requests with other settings are other runs; what a server has left is saved by the next one:
12 runs, 12 kinds
4000000000 wall {"short":1,"\\xFF\"<\/x>":1,"(no name)":1,"é...":1} wt
runs while another one has data: 0
1000 wall {"job":4} wt
7000 wall {"job":1} wt
xhprof.mode=aggregate: a run is of one release, also where it changes in the middle of a window:
1.0 {"job":3}
1.1 {"job":2}
2.0 {"late":1}
none {"job":1}
1.0.0 {"job":2}
1.0.1 {"job":1}
