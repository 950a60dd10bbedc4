--TEST--
xhprof_save() of a sampling, and how a run was started
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

echo "xhprof_save() of a sampling: its tree, its edges, and the samples in the order they were taken:\n";

/** By CPU time: the machine may be busy. */
function spin(int $ms): void
{
    $now = static fn (): int => ($usage = getrusage())['ru_utime.tv_sec'] * 1_000_000 + $usage['ru_utime.tv_usec']
        + $usage['ru_stime.tv_sec'] * 1_000_000 + $usage['ru_stime.tv_usec'];
    for ($end = $now() + $ms * 1000; $now() < $end;);
}

/** @return list<int> one number per interval */
function intervals(array $values, array $counts): array
{
    $all = [];
    foreach ($values as $i => $value) {
        array_push($all, ...array_fill(0, $counts[$i], $value));
    }
    return $all;
}

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);
foreach ([['clock' => 'wall', 'lines' => true], ['clock' => 'cpu', 'lines' => false]] as $options) {
    $before = microtime(true);
    xhprof_sample_enable($options + ['interval' => 1000]);
    $after = microtime(true);
    spin(60);
    usleep(10_000);
    spin(30);
    xhprof_sample_disable();
    $tree = xhprof_call_tree();
    $id = xhprof_save('sampled');
    // There are operations if a sample has met one.
    echo implode(' ', array_diff(xhprof_test_run_parts($folder, "$id.sampled"), ['operations'])), ': ', xhprof_test_run_list($folder), "\n";
    $read = static fn (string $part): array => xhprof_test_run_part($folder, "$id.sampled", $part);
    [$meta, $json, $log] = [$read('meta'), $read('tree'), $read('samples')];

    $metric = $options['clock'] === 'cpu' ? 'cpu' : 'wt';
    $sum = array_sum($tree['ct']);
    $checks = [
        'sum' => $sum > 5 && $meta['samples'] === $sum && $meta['calls'] === $sum,
        'start' => [$meta['start'], $meta['mode'], $meta['sample_interval_us']] === ['manual', 'sample', 1000],
        'sampling' => $meta['sampling'] === ['clock' => $options['clock']]
            + array_intersect_key($tree['samples'], ['taken' => 1, 'overruns' => 1, 'delayed' => 1, 'dropped' => 1]),
        'duration' => $meta['duration_us'] >= 90_000 && $meta['totals']['wt'] === $meta['duration_us'],
        'flags' => $meta['flags'] === 0,
        'tree' => array_replace($tree, array_intersect_key($json, $tree)) === $tree && array_diff_key($tree, $json) === ['samples' => $tree['samples']],
        'sampled' => $json['sampled'] === ['interval_us' => 1000, 'clock' => $options['clock']],
        'metric' => array_keys($json['unit']) === [$metric] && array_sum($json['self'][$metric]) === $sum * 1_000_000,
        'log' => [$log['interval_us'], $log['clock']] === [1000, $options['clock']],
        'start_us' => abs($log['start_us'] / 1e6 - $tree['samples']['start']) < 0.001 && max($log['start_us'] / 1e6, $meta['ts']) < $after + 0.01
            && min($log['start_us'] / 1e6, $meta['ts']) > $before - 0.01,
        'nodes' => intervals($log['node'], $log['n']) === $tree['samples']['node'],
        'lines' => intervals($log['line'] ?? [], isset($log['line']) ? $log['n'] : []) === ($tree['samples']['line'] ?? []),
        'in order' => array_reduce(array_keys($log['t']), static fn (bool $ok, int $i): bool
            => $ok && ($i === 0 || $log['t'][$i] >= $log['t'][$i - 1] + $log['n'][$i - 1]), true),
        'counts' => array_count_values($tree['samples']['node']) + array_fill(0, count($tree['ct']), 0) == array_filter($tree['ct']) + array_fill(0, count($tree['ct']), 0),
    ];
    $edges = xhprof_test_run_edges($folder, "$id.sampled");
    $checks['edges'] = ($edges['main()'][$metric] ?? null) === $sum * 1000 && isset($edges['main()==>spin']);
    foreach ($checks as $name => $ok) {
        echo $ok ? '' : "$name: " . json_encode([$meta, $json, $log, $edges]) . "\n";
    }
    array_map('unlink', glob("$folder/*"));
}

echo "xhprof_save(): the metadata says how the run was started:\n";

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);
$profiles = [
    static fn () => [xhprof_enable(), xhprof_disable()],
    static fn () => [xhprof_enable(XHPROF_FLAGS_ALLOC | XHPROF_FLAGS_CPU), xhprof_disable()],
    static fn () => [xhprof_sample_enable(), xhprof_sample_disable()],
    static fn () => [xhprof_enable(), xhprof_disable()],
];
foreach ($profiles as $profile) {
    $profile();
    $id = xhprof_save();
    $meta = xhprof_test_run_part($folder, "$id.xhprof", 'meta');
    echo json_encode([$meta['start'], $meta['mode'], $meta['flags'], isset($meta['sampling'])]), "\n";
    echo implode(' ', array_keys(array_intersect_key($meta, array_flip(['name', 'route', 'ended_by', 'parent', 'sample_rate', 'meta', 'status', 'url'])))), "\n";
}
?>
--EXPECT--
xhprof_save() of a sampling: its tree, its edges, and the samples in the order they were taken:
meta samples tree: 1 runs
meta samples tree: 1 runs
xhprof_save(): the metadata says how the run was started:
["manual","exact",0,false]

["manual","alloc",10,false]

["manual","sample",0,true]

["manual","exact",0,false]
