--TEST--
Profiles started and stopped inside and outside of fibers, and fibers that live through several
--FILE--
<?php
require __DIR__ . '/../lib.inc';

isset($argv[1]) || exit(xhprof_test_every_way(__FILE__));

function leaf(): int { static $n; return ++$n; }

function inner(): void
{
    leaf();
    Fiber::suspend();
    leaf();
}

function task(): void
{
    leaf();
    inner();
    leaf();
    Fiber::suspend();
    leaf();
}

function show(?array $edges): void
{
    xhprof_test_edges($edges, ['==>xhprof_disable']);
    xhprof_test_check_invariants($edges, xhprof_call_tree());
}

function enables(): void
{
    leaf();
    xhprof_enable();
    leaf();
    Fiber::suspend();
    leaf();
}

function disables(): void
{
    leaf();
    $GLOBALS['edges'] = xhprof_disable();
    leaf();
    Fiber::suspend();
    leaf();
}

echo "-- suspended in one profile, resumed while idle, finished in the next\n";
$fiber = new Fiber('task');
$before = new Fiber('task');
$before->start();
xhprof_enable();
$fiber->start();
show(xhprof_disable());
$fiber->resume();
leaf();
xhprof_enable();
$fiber->resume();
leaf();
show(xhprof_disable());

echo "-- started while idle, resumed in a profile, finished while idle\n";
xhprof_enable();
$before->resume();
leaf();
show(xhprof_disable());
$before->resume();

echo "-- enabled in a fiber, disabled in main()\n";
$fiber = new Fiber('enables');
$fiber->start();
leaf();
$fiber->resume();
leaf();
show(xhprof_disable());

echo "-- enabled in main(), disabled in a fiber that goes on while idle\n";
$edges = [];
$fiber = new Fiber('disables');
xhprof_enable();
leaf();
$fiber->start();
leaf();
show($edges);
$fiber->resume();

echo "-- disabled in a fiber, enabled in it again, and disabled after its end\n";
function again(): void
{
    leaf();
    xhprof_disable();
    leaf();
    xhprof_enable();
    inner();
    leaf();
}
$fiber = new Fiber('again');
xhprof_enable();
$fiber->start();
leaf();
$fiber->resume();
leaf();
show(xhprof_disable());
?>
--EXPECT--
-- suspended in one profile, resumed while idle, finished in the next
Fiber::start==>task: ct=1
inner==>Fiber::suspend: ct=1
inner==>leaf: ct=1
main(): ct=1
main()==>Fiber::start: ct=1
task==>inner: ct=1
task==>leaf: ct=1
invariants: ok
Fiber::resume==>leaf: ct=1
main(): ct=1
main()==>Fiber::resume: ct=1
main()==>leaf: ct=1
invariants: ok
-- started while idle, resumed in a profile, finished while idle
Fiber::resume==>Fiber::suspend: ct=1
Fiber::resume==>leaf: ct=2
main(): ct=1
main()==>Fiber::resume: ct=1
main()==>leaf: ct=1
invariants: ok
-- enabled in a fiber, disabled in main()
Fiber::resume==>Fiber::suspend: ct=0
Fiber::resume==>leaf: ct=1
main(): ct=1
main()==>Fiber::resume: ct=1
main()==>Fiber::suspend: ct=1
main()==>leaf: ct=3
invariants: ok
-- enabled in main(), disabled in a fiber that goes on while idle
Fiber::start==>disables: ct=1
disables==>leaf: ct=1
main(): ct=1
main()==>Fiber::start: ct=1
main()==>leaf: ct=1
invariants: ok
-- disabled in a fiber, enabled in it again, and disabled after its end
Fiber::resume==>inner: ct=0
Fiber::resume==>leaf: ct=1
inner==>Fiber::suspend: ct=1
inner==>leaf: ct=2
main(): ct=1
main()==>Fiber::resume: ct=1
main()==>inner: ct=1
main()==>leaf: ct=2
invariants: ok
the same every way
