--TEST--
Samples of a deep stack share the text of their path
--INI--
xhprof.sampling_interval=100
memory_limit=64M
--FILE--
<?php
function deep(int $n): void
{
    if ($n > 0) {
        deep($n - 1);
        return;
    }
    $end = hrtime(true) + 100_000_000;
    while (hrtime(true) < $end) {
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
