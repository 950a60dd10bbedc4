--TEST--
Sampled runs have the CPU time of their thread, of their whole time: waits are not in it; by both clocks, in a forked child with that of its parent, at a signal, and in no other kind of run
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('fork beside a thread', 'pcntl_fork()', 'sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

function works(int $ms): void
{
    $end = xhprof_test_cpu() + $ms * 1000;
    while (xhprof_test_cpu() < $end) {
        for ($i = 0, $x = 0; $i < 5000; $i++) {
            $x ^= $i;
        }
    }
}

/** Whether a figure, us, is between what was measured within and around it; the clocks may differ by a little. */
function bounds(string $what, array $meta, int $least, int $most): string
{
    $cpu = $meta['cpu_us'] ?? -1;
    $fits = $cpu >= $least * 0.95 - 3000 && $cpu <= $most * 1.05 + 3000 && $cpu <= $meta['duration_us'] + 1000;
    return "$what: " . ($fits ? "ok\n" : "$cpu us of $meta[duration_us] us, not $least to $most us\n");
}

function saved(string $folder): array
{
    return xhprof_test_run_part($folder, xhprof_save() . '.xhprof', 'meta');
}

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);

foreach (['wall', 'cpu'] as $clock) {
    foreach (['works' => 40, 'waits' => 0, 'works again' => 10] as $what => $ms) {
        $before = xhprof_test_cpu();
        xhprof_sample_enable(['interval' => 10_000, 'clock' => $clock]);
        $within = xhprof_test_cpu();
        works($ms);
        usleep(60_000);
        $within = xhprof_test_cpu() - $within;
        xhprof_sample_disable();
        $meta = saved($folder);
        echo bounds("$clock, $what", $meta, $within, xhprof_test_cpu() - $before);
        if ($meta['duration_us'] - $meta['cpu_us'] < 60_000) {
            echo "$meta[cpu_us] us of $meta[duration_us] us, of which it slept for 60 ms\n";
        }
    }
}

echo "Other profiles, after a sampled one:\n";
foreach ([XHPROF_FLAGS_CPU, XHPROF_FLAGS_TIMELINE] as $flags) {
    xhprof_enable($flags);
    works(1);
    xhprof_disable();
    echo isset(saved($folder)['cpu_us']) ? "it has\n" : "none\n";
}
foreach (['alloc', 'exact', 'aggregate', 'sample'] as $mode) {
    $child = xhprof_test_auto('<?php usleep(1000);', ['mode' => $mode, 'alloc_sample_bytes' => 65_536]);
    echo "$mode: ", json_encode(array_map(static fn (array $run): bool => isset($run['cpu_us']), $child['runs'])), $child['out'], $child['err'], "\n";
}

echo "Fork: a child that goes on has the samples of both, and their CPU time:\n";
xhprof_sample_enable(['interval' => 10_000]);
$start = xhprof_test_cpu();
works(50);
$parents = xhprof_test_cpu() - $start;
$pid = pcntl_fork();
if ($pid === 0) {
    works(20);
    $grandchild = pcntl_fork();
    if ($grandchild > 0) {
        pcntl_waitpid($grandchild, $status);
        exit(0);
    }
    works(30);
    xhprof_sample_disable();
    file_put_contents("$folder/child", bounds('grandchild', saved($folder), $parents + 50_000, $parents + 60_000));
    exit(0);
}
pcntl_waitpid($pid, $status);
works(10);
xhprof_sample_disable();
echo file_get_contents("$folder/child"), bounds('parent', saved($folder), xhprof_test_cpu() - $start, xhprof_test_cpu() - $start);

echo "A signal:\n";
$code = '<?php for ($i = 0; $i < 1_000_000; $i++) {} echo "begun\n"; sleep(20);';
$child = xhprof_test_signal($code, [[10, SIGTERM]], ['mode' => 'sample']);
foreach ($child['runs'] as $run) {
    echo $run['ended_by'], ': ', $run['cpu_us'] > 0 && $run['cpu_us'] < $run['duration_us'] ? "ok\n" : "$run[cpu_us] of $run[duration_us]\n";
}
?>
--EXPECT--
wall, works: ok
wall, waits: ok
wall, works again: ok
cpu, works: ok
cpu, waits: ok
cpu, works again: ok
Other profiles, after a sampled one:
none
none
alloc: [false]
exact: [false]
aggregate: [false]
sample: [true]
Fork: a child that goes on has the samples of both, and their CPU time:
grandchild: ok
parent: ok
A signal:
SIGTERM: ok
