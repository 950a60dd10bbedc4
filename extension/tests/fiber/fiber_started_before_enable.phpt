--TEST--
A fiber that was suspended before xhprof_enable() runs on in the session
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(): void
{
    static $n;
    $n++;
}

function task(): void
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

$f = new Fiber('task');
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
echo 'work: ', xhprof_test_calls($edges, 'work'), ', task: ', xhprof_test_calls($edges, 'task'), "\n";
xhprof_test_check_invariants($edges, xhprof_call_tree());
?>
--EXPECT--
work==>leaf: ct=4
work==>Fiber::suspend: ct=2
main()==>leaf: ct=4
main()==>Fiber::resume: ct=4
work: 2, task: 0
invariants: ok
