--TEST--
options['run_init']: the top-level code of a file is an edge of the classic array too
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function includes(): void
{
    include __DIR__ . '/fixture_nested.inc';
}

include __DIR__ . '/fixture_functions.inc';
xhprof_enable(0, ['run_init' => true]);
includes();
xhprof_test_profile(xhprof_disable(), 0, true);

xhprof_enable(0, ['run_init' => false]);
includes();
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
includes==>load::include/fixture_nested.inc: ct=1
includes==>run_init::include/fixture_nested.inc: ct=1
main(): ct=1
main()==>includes: ct=1
main()==>xhprof_disable: ct=1
run_init::include/fixture_functions.inc==>fixture_called: ct=1
run_init::include/fixture_functions.inc==>function_exists: ct=1
run_init::include/fixture_nested.inc==>fixture_called: ct=2
run_init::include/fixture_nested.inc==>load::include/fixture_functions.inc: ct=1
run_init::include/fixture_nested.inc==>run_init::include/fixture_functions.inc: ct=1
invariants: ok
includes==>fixture_called: ct=3
includes==>function_exists: ct=1
includes==>load::include/fixture_functions.inc: ct=1
includes==>load::include/fixture_nested.inc: ct=1
main(): ct=1
main()==>includes: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
