--TEST--
xhprof.mode=aggregate: a signal that ends a worker loses nothing, within a span and between spans, nor of a program as a whole
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'proc_open()', 'Linux'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';
require __DIR__ . '/../aggregate.inc';

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
