--TEST--
A suspended fiber is charged nothing; its own time is its own, wherever it is resumed
--FILE--
<?php
require __DIR__ . '/lib.inc';

function task(): void
{
    usleep(20_000);
    waits();
    usleep(20_000);
}

function waits(): void
{
    Fiber::suspend();
}

function outside(): void
{
    usleep(300_000);
}

xhprof_enable();
$f = new Fiber('task');
$f->start();
outside();
$f->resume();
$edges = xhprof_disable();
xhprof_test_between('waits', $edges['task==>waits']['wt'], 0, 60_000);
xhprof_test_between('suspend', $edges['waits==>Fiber::suspend']['wt'], 0, 60_000);
xhprof_test_between('task', $edges['Fiber::start==>task']['wt'], 40_000, 250_000);
xhprof_test_between('start', $edges['main()==>Fiber::start']['wt'], 40_000, 250_000);
xhprof_test_between('resume', $edges['main()==>Fiber::resume']['wt'], 0, 60_000);
xhprof_test_between('outside', $edges['main()==>outside']['wt'], 300_000, 1_500_000);
xhprof_test_check_invariants($edges, xhprof_call_tree());
?>
--EXPECT--
waits: ok
suspend: ok
task: ok
start: ok
resume: ok
outside: ok
invariants: ok
