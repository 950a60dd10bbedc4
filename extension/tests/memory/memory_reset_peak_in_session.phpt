--TEST--
memory_reset_peak_usage() by the program during a session
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function allocates(int $bytes): void { $a = str_repeat('x', $bytes); }

xhprof_enable(XHPROF_FLAGS_MEMORY);
allocates(4 << 20);
memory_reset_peak_usage();
allocates(2 << 20);
$edges = xhprof_disable();
xhprof_test_between('pmu', $edges['main()==>allocates']['pmu'], 4 << 20, (6 << 20) + 200_000);
xhprof_test_check_invariants($edges, xhprof_call_tree(), XHPROF_FLAGS_MEMORY);
?>
--EXPECT--
pmu: ok
invariants: ok
