--TEST--
xhprof.sampling_depth caps the number of functions in a sample
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function a(): void { b(); }
function b(): void { c(); }

function c(): void
{
    for ($i = 0; $i < 200; $i++) {
        usleep(1000);
    }
}

if (isset($argv[1])) {
    xhprof_sample_enable();
    a();
    $samples = xhprof_sample_disable();
    $depths = array_map(static fn (string $path): int => substr_count($path, '==>') + 1, $samples);
    echo count($samples) >= 3 ? 'samples' : count($samples), ', deepest ', max($depths), "\n";
    exit(0);
}
foreach ([1, 2, 3, 4, 100] as $depth) {
    xhprof_test_show(xhprof_test_child(__FILE__, ['child'],
        ['xhprof.sampling_depth' => $depth, 'xhprof.sampling_interval' => 5000]));
}
?>
--EXPECT--
samples, deepest 1
samples, deepest 2
samples, deepest 3
samples, deepest 4
samples, deepest 5
