--TEST--
Twenty fibers with deep stacks, resumed in turn over a hundred profiles and the idle time between
--FILE--
<?php
require __DIR__ . '/../lib.inc';

isset($argv[1]) || exit(xhprof_test_every_way(__FILE__));

function leaf(): int { static $n; return ++$n; }

function deep(int $depth): void
{
    if ($depth > 0) {
        deep($depth - 1);
    } else {
        turns();
    }
    leaf();
}

function turns(): void
{
    for ($i = 0; $i < 30; $i++) {
        leaf();
        Fiber::suspend();
    }
}

$fibers = [];
for ($i = 0; $i < 20; $i++) {
    $fibers[] = new Fiber('deep');
}
foreach ($fibers as $i => $fiber) {
    $fiber->start($i);
}
$wrong = 0;
for ($i = 0; $i < 100; $i++) {
    // Three in a profile, two idle; 10 turns each in 40 rounds.
    xhprof_enable($i % 2 ? 0 : XHPROF_FLAGS_NO_BUILTINS);
    for ($j = 0; $j < 3; $j++) {
        $fibers[($i * 5 + $j) % 20]->resume();
    }
    $edges = xhprof_disable();
    $wrong += xhprof_test_calls($edges, 'leaf') !== 3 || xhprof_test_calls($edges, 'Fiber::resume') !== ($i % 2 ? 3 : 0);
    for ($j = 3; $j < 5; $j++) {
        $fibers[($i * 5 + $j) % 20]->resume();
    }
}
echo "$wrong wrong\n";
xhprof_enable();
foreach ($fibers as $fiber) {
    while (!$fiber->isTerminated()) {
        $fiber->resume();
    }
}
$edges = xhprof_disable();
// 4 turns are left to each; then the leaf() of every deep() that returns.
echo xhprof_test_calls($edges, 'leaf'), "\n";
xhprof_test_check_invariants($edges, xhprof_call_tree());
?>
--EXPECT--
0 wrong
290
invariants: ok
the same every way
