--TEST--
Corrected columns of trees with ignored functions, few nodes, and of a profile of nothing
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(): int
{
    static $n;
    return ++$n;
}

function middle(): void
{
    for ($i = 0; $i < 100; $i++) {
        leaf();
    }
}

function check(): void
{
    $tree = xhprof_call_tree();
    $bad = 0;
    foreach ($tree['corrected']['wt'] as $i => $ns) {
        $bad += !is_int($ns) || $ns < 0 || $ns > $tree['self']['wt'][$i];
    }
    echo count($tree['corrected']['wt']) === count($tree['fn']) ? "$bad wrong" : 'not as many', "\n";
}

xhprof_enable(0, ['ignored_functions' => ['middle', 'strrev']]);
middle();
xhprof_disable();
check();
xhprof_enable();
xhprof_disable();
check();
ini_set('xhprof.max_nodes', '16');
for ($i = 0; $i < 50; $i++) {
    eval("function f$i() { leaf(); }");
}
xhprof_enable();
for ($i = 0; $i < 50; $i++) {
    "f$i"();
}
xhprof_disable();
check();
?>
--EXPECT--
0 wrong
0 wrong
0 wrong
