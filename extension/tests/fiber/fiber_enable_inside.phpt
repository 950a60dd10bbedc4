--TEST--
xhprof_enable() inside a fiber: what runs after it hangs on main(), and in the fiber on the function that resumes it
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function in_fiber(): void
{
    leaf();
}

function outside(): void
{
    leaf();
}

function leaf(): void
{
    static $n;
    $n++;
}

function task(): void
{
    in_fiber();
    xhprof_enable();
    in_fiber();
    Fiber::suspend();
    in_fiber();
    deep();
    in_fiber();
}

function deep(): void
{
    Fiber::suspend();
    in_fiber();
}

$f = new Fiber('task');
$f->start();
outside();
$f->resume();
outside();
$f->resume();
outside();
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
Fiber::resume==>Fiber::suspend: ct=0
Fiber::resume==>deep: ct=1
Fiber::resume==>in_fiber: ct=2
deep==>Fiber::suspend: ct=1
deep==>in_fiber: ct=1
in_fiber==>leaf: ct=4
main(): ct=1
main()==>Fiber::resume: ct=2
main()==>Fiber::suspend: ct=1
main()==>in_fiber: ct=1
main()==>outside: ct=3
main()==>xhprof_disable: ct=1
outside==>leaf: ct=3
invariants: ok
