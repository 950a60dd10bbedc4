--TEST--
Sessions that begin, end or lose a fiber while it waits
--FILE--
<?php
require __DIR__ . '/../lib.inc';

echo "A fiber that was suspended before xhprof_enable() runs on in the session:\n";

function leaf(): void { static $n; $n++; }

function started_before(): void
{
    leaf();
    Fiber::suspend();
    work();
    Fiber::suspend();
    work();
}

function work(): void
{
    leaf();
    Fiber::suspend();
    leaf();
}

$f = new Fiber('started_before');
$f->start();
xhprof_enable();
$f->resume();
leaf();
$f->resume();
leaf();
$f->resume();
leaf();
$f->resume();
leaf();
$edges = xhprof_disable();
foreach (['work==>leaf', 'work==>Fiber::suspend', 'main()==>leaf', 'main()==>Fiber::resume'] as $key) {
    echo "$key: ct=", $edges[$key]['ct'] ?? 'none', "\n";
}
echo 'work: ', xhprof_test_calls($edges, 'work'), ', started_before: ', xhprof_test_calls($edges, 'started_before'), "\n";
xhprof_test_check_invariants($edges, xhprof_call_tree());

echo "xhprof_enable() inside a fiber: what runs after it hangs on main(), and in the fiber on the function that resumes it:\n";

function in_fiber(): void { leaf(); }
function outside(): void { leaf(); }

function enables(): void
{
    in_fiber();
    xhprof_enable();
    in_fiber();
    Fiber::suspend();
    in_fiber();
    waits();
    in_fiber();
}

function waits(): void { Fiber::suspend(); in_fiber(); }

$f = new Fiber('enables');
$f->start();
outside();
$f->resume();
outside();
$f->resume();
outside();
xhprof_test_profile(xhprof_disable());

echo "xhprof_disable() inside a fiber, and sessions that start in one fiber and end in another:\n";

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

echo "Abandoned fibers: finally blocks run below the fiber's function, the session goes on:\n";

function cleanup(): void { leaf(); }

function task(): void
{
    try {
        leaf();
        deep();
    } finally {
        cleanup();
    }
}

function deep(): void { Fiber::suspend(); echo "never\n"; }

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

// Suspended until the process ends, with a session that is never stopped.
xhprof_enable();
$last = new Fiber('task');
$last->start();
echo "end\n";
?>
--EXPECT--
A fiber that was suspended before xhprof_enable() runs on in the session:
work==>leaf: ct=4
work==>Fiber::suspend: ct=2
main()==>leaf: ct=4
main()==>Fiber::resume: ct=4
work: 2, started_before: 0
invariants: ok
xhprof_enable() inside a fiber: what runs after it hangs on main(), and in the fiber on the function that resumes it:
Fiber::resume==>Fiber::suspend: ct=0
Fiber::resume==>in_fiber: ct=2
Fiber::resume==>waits: ct=1
in_fiber==>leaf: ct=4
main(): ct=1
main()==>Fiber::resume: ct=2
main()==>Fiber::suspend: ct=1
main()==>in_fiber: ct=1
main()==>outside: ct=3
main()==>xhprof_disable: ct=1
outside==>leaf: ct=3
waits==>Fiber::suspend: ct=1
waits==>in_fiber: ct=1
invariants: ok
xhprof_disable() inside a fiber, and sessions that start in one fiber and end in another:
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
Abandoned fibers: finally blocks run below the fiber's function, the session goes on:
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
