--TEST--
For how long others had the processor: of exact runs with CPU time and of sampled ones, between what the kernel counts within and around them; of no other run, nor of a forked child and of spans that take turns
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('fork beside a thread', 'pcntl_fork()', 'sampling', '/proc/thread-self/schedstat');
(int) file_get_contents('/proc/thread-self/schedstat') > 0 || die('skip the kernel does not count it');
?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

/** us for which this thread was ready, and others had its processor */
function delay(): float
{
    return (int) explode(' ', file_get_contents('/proc/thread-self/schedstat'))[1] / 1000;
}

function works(): void
{
    for ($end = hrtime(true) + 30_000_000; hrtime(true) < $end;) {
        for ($i = 0, $x = 0; $i < 1000; $i++) {
            $x ^= $i;
        }
    }
}

function saved(string $folder): array
{
    return xhprof_test_run_part($folder, xhprof_save() . '.xhprof', 'meta');
}

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);

$starts = [
    'exact' => static fn () => xhprof_enable(XHPROF_FLAGS_CPU),
    'sampled' => static fn () => xhprof_sample_enable(['interval' => 1000]),
    'sampled by CPU time' => static fn () => xhprof_sample_enable(['interval' => 1000, 'clock' => 'cpu']),
];
foreach ($starts as $what => $start) {
    $before = delay();
    $start();
    $within = delay();
    works();
    $within = delay() - $within;
    $what === 'exact' ? xhprof_disable() : xhprof_sample_disable();
    $most = delay() - $before;
    $meta = saved($folder);
    $delay = $meta['run_delay_us'] ?? -1;
    // Whole microseconds are saved.
    echo "$what: ", $delay >= $within - 1 && $delay <= $most ? 'ok' : "$delay us, of $within to $most us", "\n";
}

echo "Others:\n";
foreach ([0, XHPROF_FLAGS_MEMORY] as $flags) {
    xhprof_enable($flags);
    works();
    xhprof_disable();
    echo isset(saved($folder)['run_delay_us']) ? "it has\n" : "none\n";
}
foreach (['alloc', 'aggregate'] as $mode) {
    $child = xhprof_test_auto('<?php usleep(1000);', ['mode' => $mode, 'alloc_sample_bytes' => 65_536]);
    echo "$mode: ", json_encode(array_map(static fn (array $run): bool => isset($run['run_delay_us']), $child['runs'])), "\n";
}

echo "Fork: the parent's is known, that of the child began in another thread:\n";
xhprof_enable(XHPROF_FLAGS_CPU);
$pid = pcntl_fork();
if ($pid === 0) {
    works();
    xhprof_disable();
    file_put_contents("$folder/child", isset(saved($folder)['run_delay_us']) ? "it has\n" : "none\n");
    exit(0);
}
pcntl_waitpid($pid, $status);
xhprof_disable();
echo isset(saved($folder)['run_delay_us']) ? "it has\n" : "none\n", file_get_contents("$folder/child");
?>
--EXPECT--
exact: ok
sampled: ok
sampled by CPU time: ok
Others:
none
none
alloc: [false]
aggregate: [false]
Fork: the parent's is known, that of the child began in another thread:
it has
none
