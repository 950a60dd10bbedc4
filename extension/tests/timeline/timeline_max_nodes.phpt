--TEST--
xhprof.max_nodes from 1,000 on, with a timeline: calls of folded paths are left out and counted, the others lie in their callers
--INI--
xhprof.timeline_threshold=0
--FILE--
<?php
require __DIR__ . '/../timeline.inc';

// 1,110 paths below each caller, more than a tree of 1,000 has.
for ($i = 0; $i < 10; $i++) {
    $calls = implode(' ', array_map(static fn (int $j): string => "f$j(\$n - 1);", range(0, 9)));
    eval("function f$i(int \$n): void { if (\$n > 0) { $calls } }");
}

function slow(): void { usleep(20000); }
function one(): void { f1(3); slow(); }

function two(): void
{
    slow();
    Fiber::suspend();
    f2(3);
    f3(3);
}

function calls(): int
{
    xhprof_enable(XHPROF_FLAGS_TIMELINE | XHPROF_FLAGS_NO_BUILTINS);
    $fiber = new Fiber('two');
    $fiber->start();
    one();
    $fiber->resume();
    one();
    xhprof_disable();
    return count(xhprof_call_tree()['fn']);
}

foreach ([1000, 100000] as $max) {
    ini_set('xhprof.max_nodes', (string) $max);
    $nodes = calls();
    [$timeline, $tree] = xhprof_test_timeline();
    xhprof_test_check_timeline($timeline, $tree);
    // (truncated) has one more for each function whose paths were folded; how many these are depends on the times.
    $most = $max + count($tree['names']);
    echo $nodes <= $most ? '' : "$nodes nodes, not $most\n";
    $names = array_map(static fn (int $node): string => $tree['names'][$tree['fn'][$node]], $timeline['node']);
    echo in_array('(truncated)', $names, true) ? "some truncated\n" : '',
        $timeline['folded'] > 0 ? 'some folded' : 'none folded', ', ', count($names) + $timeline['folded'], " calls in all\n";
    echo implode(' ', array_filter($names, static fn (string $name): bool => in_array($name, ['one', 'two', 'slow'], true))), "\n";
}
?>
--EXPECT--
timeline: ok
some folded, 4450 calls in all
two slow one slow one slow
timeline: ok
none folded, 4450 calls in all
two slow one slow one slow
