--TEST--
Heap snapshot: what deep calls and fibers have left on the VM's stack refers to nothing
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

function deep(int $n): int
{
    return $n === 0 ? 0 : deep($n - 1) + 1;
}

deep(20_000); // 1.9 MB in pages of 256 KB
$fiber = new Fiber(static fn (): int => deep(2_000)); // in pages of 16 KB
$fiber->start();
unset($fiber);

$heap = xhprof_test_heap();
xhprof_test_heap_check($heap);
$stacks = $unknown = 0;
foreach ($heap['nodes'] as $node) {
    $stacks += $node['t'] === 'vm stack' ? 1 : 0;
    $unknown += $node['t'] === 'native' && in_array($node['s'], [256 << 10, 16 << 10], true) ? 1 : 0;
}
echo $stacks > 0 ? 'a stack' : 'none', ", $unknown pages of no known use\n";
?>
--EXPECT--
sound
a stack, 0 pages of no known use
