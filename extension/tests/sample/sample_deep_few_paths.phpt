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

function deep(int $n): void
{
    if ($n > 0) {
        deep($n - 1);
        return;
    }
    $end = xhprof_test_cpu() + 100_000;
    while (xhprof_test_cpu() < $end) {
        strrev('x');
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
