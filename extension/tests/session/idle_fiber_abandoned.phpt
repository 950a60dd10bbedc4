--TEST--
Fibers and generators of a profile that are destroyed while idle, in the next profile and at the end of the program
--FILE--
<?php
require __DIR__ . '/../lib.inc';

isset($argv[1]) || exit(xhprof_test_every_way(__FILE__));

function leaf(): int { static $n; return ++$n; }

function task(): void
{
    try {
        leaf();
        Fiber::suspend();
    } finally {
        leaf();
    }
}

function numbers(): Generator
{
    try {
        leaf();
        yield 1;
    } finally {
        leaf();
    }
}

/** @return list<Fiber|Generator> */
function suspended(): array
{
    $all = [];
    for ($i = 0; $i < 3; $i++) {
        $all[] = $fiber = new Fiber('task');
        $fiber->start();
        $all[] = $generator = numbers();
        $generator->current();
    }
    return $all;
}

xhprof_enable();
[$f1, $g1, $f2, $g2, $f3, $g3] = suspended();
$edges = xhprof_disable();
echo xhprof_test_calls($edges, 'leaf'), "\n";
unset($f1, $g1);
gc_collect_cycles();
xhprof_enable();
leaf();
unset($f2, $g2);
gc_collect_cycles();
leaf();
$edges = xhprof_disable();
echo xhprof_test_calls($edges, 'leaf'), "\n";
xhprof_test_check_invariants($edges, xhprof_call_tree());
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
leaf();
$edges = xhprof_disable();
echo xhprof_test_calls($edges, 'leaf'), "\n";
// The last two are destroyed after the script's end.
?>
--EXPECT--
6
4
invariants: ok
1
the same every way
