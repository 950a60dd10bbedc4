--TEST--
Requests that reset PHP's peak: the peak of runs, of windows and of save_if is that of the whole request, and of no other
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock'); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

const PROGRAM = <<<'PHP'
    function hold(int $mb): int { return strlen(str_repeat('x', $mb << 20)); }
    match ($_SERVER['REQUEST_URI']) {
        '/resets' => [hold(30), memory_reset_peak_usage(), hold(5), memory_reset_peak_usage()],
        '/small' => hold(2),
        '/last' => null,
    };
    PHP;
const PATHS = ['/small', '/resets', '/small', '/resets', '/small'];

function mb(int|float $bytes): string
{
    foreach ([30, 2] as $mb) {
        if ($bytes >= $mb << 20 && $bytes < ($mb + 2) << 20) {
            return "over $mb";
        }
    }
    return (string) $bytes;
}

foreach (['exact', 'sample', 'alloc'] as $mode) {
    $server = new XhprofTestServer('<?php ' . PROGRAM, ['mode' => $mode, 'flags' => 'cpu,memory', 'alloc_sample_bytes' => $mode === 'alloc' ? 65536 : 0]);
    foreach (PATHS as $path) {
        $server->request($path);
    }
    $peaks = array_map(static fn (array $run): string => mb($run['peak_memory']), $server->runs(count(PATHS)));
    echo "$mode: ", implode(', ', $peaks), "\n";
    $server->stop();
}

$server = new XhprofTestServer('<?php ' . PROGRAM, ['save_if' => '"peak=10M@0, peak=20M@9"']);
array_map($server->request(...), PATHS);
echo 'saved: ', implode(', ', array_column($server->runs(2), 'url')), "\n";
$server->stop();

$clock = xhprof_test_clock();
$server = new XhprofTestServer(XHPROF_TEST_WORK . PROGRAM, ['mode' => 'aggregate', 'flush_seconds' => 1], [], $clock);
array_map($server->request(...), PATHS);
xhprof_test_clock_goes($clock, 1000);
$server->request('/last');
foreach ($server->runs(1)[0]['aggregate']['routes'] as $name => $route) {
    for ($i = $bucket = 0; $i < count($route['peak']); $i += 2) {
        $bucket += $route['peak'][$i];
        echo $name, ': ', $route['peak'][$i + 1], ' of them ', mb((32 + $bucket % 32) * 2 ** (intdiv($bucket, 32) - 1)), "\n";
    }
}
$server->stop();

// Spans: of the process while they ran.
$child = xhprof_test_auto('<?php function hold(int $mb): int { return strlen(str_repeat("x", $mb << 20)); }
    foreach ([2, 30] as $mb) { xhprof_begin_span("job $mb"); hold($mb); memory_reset_peak_usage(); xhprof_end_span(); }', ['mode' => 'exact', 'flags' => 'memory']);
foreach ($child['runs'] as $run) {
    if (isset($run['name'])) {
        echo "$run[name]: ", mb($run['peak_memory']), ', growth ', round($run['totals']['pmu'] / (1 << 20)), "\n";
    }
}
?>
--EXPECT--
exact: over 2, over 30, over 2, over 30, over 2
sample: over 2, over 30, over 2, over 30, over 2
alloc: over 2, over 30, over 2, over 30, over 2
saved: /resets, /resets
GET /small: 3 of them over 2
GET /resets: 2 of them over 30
job 2: over 2, growth 2
job 30: over 30, growth 30
