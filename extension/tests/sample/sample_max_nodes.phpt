--TEST--
However few paths xhprof.max_nodes keeps, every sample is in the tree: what is folded is a sample of the caller's
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--INI--
xhprof.max_nodes=16
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function a(int $depth): void
{
    if ($depth > 0) {
        a($depth - 1);
        b($depth - 1);
    }
}

function b(int $depth): void
{
    if ($depth > 0) {
        a($depth - 1);
        strrev('b');
        b($depth - 1);
    }
}

xhprof_sample_enable(['interval' => 1000]);
$since = xhprof_test_looks();
do {
    a(6);
} while (!xhprof_test_looked($since));
for ($until = hrtime(true) + 50_000_000; hrtime(true) < $until;) {
    a(6);
}
xhprof_sample_disable();
$tree = xhprof_call_tree();
$samples = $tree['samples']['taken'] + $tree['samples']['overruns'];
echo $samples > 0 && array_sum($tree['ct']) === $samples ? 'every sample is in the tree' : array_sum($tree['ct']) . " of $samples samples", "\n";
?>
--EXPECT--
every sample is in the tree
