--TEST--
Samples of a deep stack share the text of their path
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--INI--
xhprof.sampling_interval=100
memory_limit=64M
--FILE--
<?php
require __DIR__ . '/../lib.inc';

/** A deep stack is read at most every 90 ms: reading it takes 10 ms at most, counted, and a tenth of the time. */
function busy(): void
{
    $end = xhprof_test_cpu() + 300_000;
    while (xhprof_test_cpu() < $end) {
        strrev('x');
    }
}

function first(): void { busy(); }
function afterwards(): void { busy(); }

function deep(int $n): void
{
    if ($n > 0) {
        deep($n - 1);
        return;
    }
    first();
    afterwards();
}

xhprof_sample_enable();
deep(20000);
$samples = xhprof_sample_disable();
echo count($samples) > 300 ? 'samples' : count($samples), "\n";
foreach (['first', 'afterwards'] as $function) {
    // Each path has 250 KB, and what differs is at its end.
    $in = array_filter($samples, static fn (string $path): bool => str_contains(substr($path, -200), "==>$function"));
    echo $function, ': ', count($in) > 0 ? 'sampled' : 'not sampled', "\n";
}
?>
--EXPECT--
samples
first: sampled
afterwards: sampled
