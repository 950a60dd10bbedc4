--TEST--
Memory figures with the system's allocator (USE_ZEND_ALLOC=0) and the tracking one
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function allocates(): string { return str_repeat('x', 1 << 20); }

if (isset($argv[1])) {
    xhprof_enable(XHPROF_FLAGS_MEMORY | XHPROF_FLAGS_CPU);
    $s = allocates();
    $edges = xhprof_disable();
    xhprof_test_check_invariants($edges, xhprof_call_tree(), 6);
    // Where PHP counts nothing there is nothing to compare.
    $mu = $edges['main()==>allocates']['mu'];
    echo $mu === 0 || $mu >= 1 << 20 ? 'ok' : $mu, ' ', memory_get_peak_usage() >= 0 ? 'ok' : memory_get_peak_usage(), "\n";
    exit(0);
}
foreach ([['USE_ZEND_ALLOC' => '0'], ['USE_ZEND_ALLOC' => '0', 'USE_TRACKED_ALLOC' => '1'], []] as $env) {
    xhprof_test_show(xhprof_test_child(__FILE__, ['child'], [], [], null, $env + getenv()));
}
?>
--EXPECT--
invariants: ok
ok ok
invariants: ok
ok ok
invariants: ok
ok ok
