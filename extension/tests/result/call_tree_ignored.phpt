--TEST--
xhprof_call_tree(): ignored functions and recursion
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function f(int $n): void
{
    via($n);
}

function via(int $n): void
{
    leaf();
    if ($n > 0) {
        f($n - 1);
    }
}

function leaf(): void
{
    static $n;
    $n++;
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS, ['ignored_functions' => 'via']);
f(2);
$edges = xhprof_disable();
xhprof_test_tree(xhprof_call_tree());
xhprof_test_check_invariants($edges, xhprof_call_tree());
?>
--EXPECT--
main() ct=1
  f ct=1
    f ct=1
      f ct=1
        leaf ct=1
      leaf ct=1
    leaf ct=1
invariants: ok
