--TEST--
Sampling by the CPU clock: in many profiles shorter than an interval each function has its share, and what comes last no more
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function works(int $us): void
{
    $end = xhprof_test_cpu() + $us;
    while (xhprof_test_cpu() < $end) {
        for ($i = 0, $x = 0; $i < 1000; $i++) {
            $x ^= $i;
        }
    }
}

function first(): void
{
    works(20000);
}

function last(): void
{
    works(10000);
}

/** What was left at a profile's end was the sample of who ended it: two of five. */
function is_shared(array $samples): bool
{
    $shared = $samples['first'] + $samples['last'];
    return $shared > 15 && $samples['neither'] < $shared / 2;
}

$samples = ['first' => 0, 'last' => 0, 'neither' => 0];
// Few samples say little: where other programs have the processors, more profiles are asked.
for ($i = 0; $i < 150 || ($i < 900 && !is_shared($samples)); $i++) {
    xhprof_sample_enable(['interval' => 100000, 'clock' => 'cpu']);
    first();
    last();
    foreach (xhprof_sample_disable() as $path) {
        $samples[preg_match('/==>(first|last)/', $path, $match) ? $match[1] : 'neither']++;
    }
}
echo is_shared($samples) ? 'shared' : json_encode($samples), "\n";
?>
--EXPECT--
shared
