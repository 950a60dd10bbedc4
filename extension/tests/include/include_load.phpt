--TEST--
Compiling a file is load::dir/file.php; its top-level code is transparent in the classic array
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function includes(): void
{
    include __DIR__ . '/fixture_functions.inc';
    require __DIR__ . '/fixture_functions.inc';
    include_once __DIR__ . '/fixture_functions.inc';
}

xhprof_enable();
$value = include __DIR__ . '/fixture_functions.inc';
includes();
include __DIR__ . '/fixture_nested.inc';
$edges = xhprof_disable();
echo $value, "\n";
xhprof_test_edges($edges, ['==>dirname']);
xhprof_test_check_invariants($edges, xhprof_call_tree());
xhprof_test_tree(xhprof_call_tree());
?>
--EXPECT--
fixture
includes==>fixture_called: ct=2
includes==>function_exists: ct=2
includes==>load::include/fixture_functions.inc: ct=2
main(): ct=1
main()==>fixture_called: ct=4
main()==>function_exists: ct=2
main()==>includes: ct=1
main()==>load::include/fixture_functions.inc: ct=2
main()==>load::include/fixture_nested.inc: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
main() ct=1
  includes ct=1
    load::include/fixture_functions.inc ct=2
    run_init::include/fixture_functions.inc ct=2
      fixture_called ct=2
      function_exists ct=2
  load::include/fixture_functions.inc ct=1
  load::include/fixture_nested.inc ct=1
  run_init::include/fixture_functions.inc ct=1
    fixture_called ct=1
    function_exists ct=1
  run_init::include/fixture_nested.inc ct=1
    fixture_called ct=2
    load::include/fixture_functions.inc ct=1
    run_init::include/fixture_functions.inc ct=1
      fixture_called ct=1
      function_exists ct=1
  xhprof_disable ct=1
