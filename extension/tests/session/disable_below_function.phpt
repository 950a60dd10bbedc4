--TEST--
xhprof_disable hangs on the function that calls it; xhprof_enable never appears
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function start(): void
{
    xhprof_enable();
}

function stop(): array
{
    return xhprof_disable();
}

start();
$edges = stop();
xhprof_test_edges($edges);
xhprof_test_check_invariants($edges, xhprof_call_tree());

xhprof_enable();
xhprof_enable();
$edges = stop();
unset($edges['main()==>xhprof_enable']);
xhprof_test_edges($edges);
?>
--EXPECT--
main(): ct=1
main()==>stop: ct=1
stop==>xhprof_disable: ct=1
invariants: ok
main(): ct=1
main()==>stop: ct=1
stop==>xhprof_disable: ct=1
