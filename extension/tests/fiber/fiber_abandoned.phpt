--TEST--
Abandoned fibers: finally blocks run below the fiber's function, the session goes on
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(): void
{
    static $n;
    $n++;
}

function cleanup(): void
{
    leaf();
}

function task(): void
{
    try {
        leaf();
        deep();
    } finally {
        cleanup();
    }
}

function deep(): void
{
    Fiber::suspend();
    echo "never\n";
}

function abandons(): void
{
    $f = new Fiber('task');
    $f->start();
    unset($f);
    leaf();
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
abandons();
$f = new Fiber('task');
$f->start();
leaf();
$f = null;
leaf();
xhprof_test_profile(xhprof_disable());

// Suspended when the session ends; destroyed later, once without and once within a session.
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
$f = new Fiber('task');
$f->start();
$g = new Fiber('task');
$g->start();
xhprof_test_profile(xhprof_disable());
$f = null;
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
$g = null;
leaf();
$edges = xhprof_disable();
printf("cleanup %d leaf of main() %d\n", xhprof_test_calls($edges, 'cleanup'), $edges['main()==>leaf']['ct'] ?? 0);
xhprof_test_check_invariants($edges, xhprof_call_tree());

// Suspended until the process ends, with a session that nobody stops.
xhprof_enable();
$last = new Fiber('task');
$last->start();
echo "end\n";
?>
--EXPECT--
abandons==>leaf: ct=1
abandons==>task: ct=1
cleanup==>leaf: ct=2
main(): ct=1
main()==>abandons: ct=1
main()==>leaf: ct=2
main()==>task: ct=1
task==>cleanup: ct=2
task==>deep: ct=2
task==>leaf: ct=2
invariants: ok
main(): ct=1
main()==>task: ct=2
task==>deep: ct=2
task==>leaf: ct=2
invariants: ok
cleanup 1 leaf of main() 1
invariants: ok
end
