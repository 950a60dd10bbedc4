--TEST--
Samples of a deep stack share the text of their path
--SKIPIF--
<?php
require __DIR__ . '/../lib.inc';
xhprof_test_needs_sampling();
?>
--INI--
xhprof.sampling_interval=100
memory_limit=64M
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function spin(): void
{
    $end = xhprof_test_cpu() + 5_000;
    while (xhprof_test_cpu() < $end) {
        strrev('x');
    }
}

function spin_elsewhere(): void
{
    spin();
}

/* Two paths in turn: in one loop nearly all samples may be of its system call. */
function deep(int $n): void
{
    if ($n > 0) {
        deep($n - 1);
        return;
    }
    for ($i = 0; $i < 10; $i++) {
        spin();
        spin_elsewhere();
    }
}

xhprof_sample_enable();
deep(20000);
$samples = xhprof_sample_disable();
echo count($samples) > 300 ? 'samples' : count($samples), ' ',
    count(array_unique(array_map(strlen(...), $samples))) > 1 ? 'paths' : 'no paths', "\n";
?>
--EXPECT--
samples paths
