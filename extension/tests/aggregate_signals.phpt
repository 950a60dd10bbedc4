--TEST--
xhprof.mode=aggregate: a signal that ends a worker loses nothing, within a span and between spans
--SKIPIF--
<?php
if (!function_exists('proc_open') || PHP_OS_FAMILY !== 'Linux') {
    die('skip needs proc_open and Linux');
}
?>
--FILE--
<?php
require __DIR__ . '/lib.inc';
require __DIR__ . '/auto.inc';
require __DIR__ . '/aggregate.inc';

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
        $result = xhprof_test_signal($spans . $program, [[300, $signal]], $ini);
        $routes = xhprof_test_routes($result['runs'], $result['folder']);
        echo "$label: signal $result[signal] ", json_encode(array_map(static fn (array $route): int => $route['requests'], $routes));
        echo isset($routes['last']) && $routes['last']['samples'] < 100 ? " {$routes['last']['samples']} samples" : '', "\n";
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
