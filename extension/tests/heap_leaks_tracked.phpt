--TEST--
Heap snapshot: the register of allocations keeps nothing alive that is registered there
--SKIPIF--
<?php
require __DIR__ . '/heap.inc';
xhprof_test_heap_skip();
?>
--INI--
opcache.enable_cli=0
report_memleaks=0
zend.enable_gc=0
--FILE--
<?php
require __DIR__ . '/lib.inc';
require __DIR__ . '/heap.inc';

/** Arrays that hold themselves and a block of 3 MB, and that nothing else holds. */
function leak(int $count): void
{
    for ($i = 0; $i < $count; $i++) {
        $own = [str_repeat('x', 3_000_000)];
        $own['own'] = &$own;
        unset($own);
    }
}
function deeply(int $depth): void
{
    $depth ? deeply($depth - 1) : leak(4);
}
function covered(int $depth): int
{
    return $depth ? covered($depth - 1) + strlen(str_repeat('c', $depth)) : 0;
}
memprof_enable();
deeply(100);
covered(200);
$heap = xhprof_test_heap();
memprof_disable();
xhprof_test_heap_check($heap);
$huge = array_filter($heap['nodes'], static fn (array $node): bool => ($node['b'] ?? 0) >= 3_000_000);
echo count($huge), " blocks\n";
// What looks like an address of one, wherever it is, may hide it.
xhprof_test_between('unreachable', count(array_filter($huge, static fn (array $node): bool => $node['t'] === 'unreachable')), 1, 4);
?>
--EXPECT--
sound
4 blocks
unreachable: ok
