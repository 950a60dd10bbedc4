--TEST--
Heap snapshot: cycles of arrays that wait for the collector are held by it, until it has collected them
--SKIPIF--
<?php
require __DIR__ . '/heap.inc';
xhprof_test_heap_skip();
?>
--FILE--
<?php
require __DIR__ . '/lib.inc';
require __DIR__ . '/heap.inc';

gc_collect_cycles();
for ($i = 0; $i < 100; $i++) {
    $own = [str_repeat('x', 20)];
    $own['own'] = &$own;
    unset($own);
}
$known = ['runs' => 0, 'collected' => 0, 'threshold' => 0, 'roots' => 0];
$status = array_intersect_key(gc_status(), $known);
$summary = xhprof_heap_snapshot('/dev/null', ['format' => 'summary']);
echo $summary['unreachable']['blocks'], " candidates\n";
$after = array_intersect_key(gc_status(), $known);
echo json_encode($status === $after ?: array_diff_assoc($after, $status)), "\n";
echo gc_collect_cycles() >= 100 ? "collected\n" : "not collected\n";
?>
--EXPECT--
0 candidates
true
collected
