--TEST--
xhprof.mode=aggregate: a run is of one release, also where it changes in the middle of a window
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'proc_open()'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';
require __DIR__ . '/../aggregate.inc';

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
1.0 {"job":3}
1.1 {"job":2}
2.0 {"late":1}
none {"job":1}
1.0.0 {"job":2}
1.0.1 {"job":1}
