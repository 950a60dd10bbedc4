--TEST--
ignored_functions: the ignored function's own time and memory go to its caller
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function busy(): string
{
    $end = hrtime(true) + 30_000_000;
    while (hrtime(true) < $end) {
    }
    return str_repeat('x', 1 << 20);
}

function caller(): string
{
    return busy();
}

xhprof_enable(XHPROF_FLAGS_MEMORY | XHPROF_FLAGS_NO_BUILTINS, ['ignored_functions' => 'busy']);
$s = caller();
$edges = xhprof_disable();
xhprof_test_edges($edges);
xhprof_test_between('wt', $edges['main()==>caller']['wt'], 30_000, 20_000_000);
xhprof_test_between('mu', $edges['main()==>caller']['mu'], 1 << 20, (1 << 20) + 100_000);
xhprof_test_check_invariants($edges, xhprof_call_tree(), XHPROF_FLAGS_MEMORY);
?>
--EXPECT--
main(): ct=1
main()==>caller: ct=1
wt: ok
mu: ok
invariants: ok
