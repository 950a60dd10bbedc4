--TEST--
Spans of a worker that runs for long: 100,000 leave no memory behind, nor more runs than the folder may hold
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('/proc/self/smaps'); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

$code = "<?php\nrequire " . var_export(__DIR__ . '/../lib.inc', true) . ";\n" . <<<'PHP'
function leaf(int $n): string { return str_repeat('x', $n); }
function job(int $i): void { leaf($i % 100); if ($i % 1000 === 0) { eval("function f$i() { return $i; } f$i();"); } }
[$count, $at] = [(int) $argv[1], intdiv((int) $argv[1], 5)];
$memory = 0;
for ($i = 1; $i <= $count; $i++) {
    xhprof_begin_span('job ' . $i % 10);
    job($i);
    xhprof_end_span();
    if ($i === $at) { $before = xhprof_test_memory()[0]; $memory = memory_get_usage(); }
}
$growth = xhprof_test_memory()[0] - $before;
echo $growth < (int) $argv[2] << 20 ? 'no growth' : "$growth bytes more", memory_get_usage() - $memory < 200_000 ? '' : ', and of PHP\'s memory', "\n";
PHP;
$ways = [
    'exact' => [100_000, ['save_slower_than_ms' => 100_000]],
    'exact with all figures' => [30_000, ['save_slower_than_ms' => 100_000, 'flags' => 'cpu,memory']],
    'allocations' => [10_000, ['save_slower_than_ms' => 100_000, 'mode' => 'alloc']],
    'samples' => [5_000, ['save_slower_than_ms' => 100_000, 'mode' => 'sample', 'sampling_interval' => 1000]],
    'aggregate' => [10_000, ['mode' => 'aggregate', 'sampling_interval' => 1000, 'flush_seconds' => 86400]],
    'not chosen' => [100_000, ['start_with_request' => 'sampled', 'sample_rate' => 0]],
    'one of a hundred' => [20_000, ['start_with_request' => 'sampled', 'sample_rate' => 0.01, 'max_runs' => 50]],
    'saved' => [2_000, ['max_runs' => 100]],
];
// The address sanitizer keeps what was freed for a while.
$most = xhprof_test_other_figures() === null ? '4' : '300';
foreach ($ways as $label => [$count, $ini]) {
    $child = xhprof_test_auto($code, $ini + ['start_with_request' => 'yes'], [], [], [], [(string) $count, $most]);
    $runs = count(xhprof_test_run_names($child['folder']));
    echo "$label: ", trim($child['out'] . $child['err']), ', ', match (true) {
        $runs === 0 => 'no run',
        $runs === 1 => 'a run',
        $runs <= ($ini['max_runs'] ?? 0) && $runs >= ($ini['max_runs'] ?? 0) * 0.8 => 'as many runs as there may be',
        default => "$runs runs",
    }, "\n";
}
?>
--EXPECT--
exact: no growth, no run
exact with all figures: no growth, no run
allocations: no growth, no run
samples: no growth, no run
aggregate: no growth, a run
not chosen: no growth, no run
one of a hundred: no growth, as many runs as there may be
saved: no growth, as many runs as there may be
