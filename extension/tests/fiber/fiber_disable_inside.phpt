--TEST--
xhprof_disable() inside a fiber, and sessions that start in one fiber and end in another
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(): void
{
    static $n;
    $n++;
}

function stopper(): void
{
    leaf();
    $GLOBALS['edges'] = xhprof_disable();
    leaf();
    Fiber::suspend();
    leaf();
}

function starter(): void
{
    leaf();
    xhprof_enable();
    leaf();
    Fiber::suspend();
    leaf();
}

xhprof_enable();
$f = new Fiber('stopper');
$f->start();
leaf();
xhprof_test_edges($edges);
xhprof_test_check_invariants($edges, xhprof_call_tree());

// The rest of that fiber runs in the next session.
xhprof_enable();
$f->resume();
leaf();
$edges = xhprof_disable();
printf("leaf %d, of main() at least %s\n", xhprof_test_calls($edges, 'leaf'), ($edges['main()==>leaf']['ct'] ?? 0) >= 1 ? '1' : '0');
xhprof_test_check_invariants($edges, xhprof_call_tree());

$a = new Fiber('starter');
$b = new Fiber('stopper');
$a->start();
$b->start();
$first = $edges;
$firstTree = xhprof_call_tree();
$a->resume();
$b->resume();
xhprof_test_edges($first);
xhprof_test_check_invariants($first, $firstTree);
?>
--EXPECT--
Fiber::start==>stopper: ct=1
main(): ct=1
main()==>Fiber::__construct: ct=1
main()==>Fiber::start: ct=1
stopper==>leaf: ct=1
stopper==>xhprof_disable: ct=1
invariants: ok
leaf 2, of main() at least 1
invariants: ok
Fiber::start==>stopper: ct=1
main(): ct=1
main()==>Fiber::start: ct=1
main()==>Fiber::suspend: ct=1
main()==>leaf: ct=1
stopper==>leaf: ct=1
stopper==>xhprof_disable: ct=1
invariants: ok
