--TEST--
A session without any call holds main() and, with builtins, xhprof_disable
--FILE--
<?php
require __DIR__ . '/../lib.inc';

xhprof_enable();
$edges = xhprof_disable();
xhprof_test_edges($edges);
xhprof_test_check_invariants($edges, xhprof_call_tree());

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
$edges = xhprof_disable();
xhprof_test_edges($edges);
xhprof_test_check_invariants($edges, xhprof_call_tree());
xhprof_test_tree(xhprof_call_tree());
?>
--EXPECT--
main(): ct=1
main()==>xhprof_disable: ct=1
invariants: ok
main(): ct=1
invariants: ok
main() ct=1
