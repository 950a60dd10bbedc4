--TEST--
A session without any call holds main() and, with builtins, xhprof_disable
--FILE--
<?php
require __DIR__ . '/../lib.inc';

xhprof_enable();
xhprof_test_profile(xhprof_disable());

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
xhprof_test_profile(xhprof_disable());
xhprof_test_tree(xhprof_call_tree());
?>
--EXPECT--
main(): ct=1
main()==>xhprof_disable: ct=1
invariants: ok
main(): ct=1
invariants: ok
main() ct=1
