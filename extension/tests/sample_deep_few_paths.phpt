--TEST--
Samples of a deep stack share the text of their path
--INI--
xhprof.sampling_interval=100
memory_limit=64M
--FILE--
<?php
/** CPU time of this process, us: on a busy machine wall time may pass without any of it. */
function cpu(): int
{
    $r = getrusage();
    return ($r['ru_utime.tv_sec'] + $r['ru_stime.tv_sec']) * 1_000_000 + $r['ru_utime.tv_usec'] + $r['ru_stime.tv_usec'];
}

function deep(int $n): void
{
    if ($n > 0) {
        deep($n - 1);
        return;
    }
    $end = cpu() + 100_000;
    while (cpu() < $end) {
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
