--TEST--
With a threshold of 0 the timeline has every call at its time, in every mode: exceptions, generators, open calls
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../timeline.inc';

function leaf(): void
{
    usleep(1);
}

function throws(): void
{
    leaf();
    throw new LogicException();
}

function numbers(): Generator
{
    leaf();
    yield 1;
    yield 2;
}

function last(): ?array
{
    leaf();
    return xhprof_disable();
}

foreach ([0, XHPROF_FLAGS_CPU, XHPROF_FLAGS_MEMORY, XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY] as $flags) {
    xhprof_enable(XHPROF_FLAGS_TIMELINE | XHPROF_FLAGS_NO_BUILTINS | $flags, ['timeline_threshold' => 0]);
    leaf();
    leaf();
    try {
        throws();
    } catch (LogicException) {
    }
    foreach (numbers() as $number) {
        leaf();
    }
    $edges = last();
    [$timeline, $tree] = xhprof_test_timeline();
    xhprof_test_check_invariants($edges, xhprof_call_tree(), $flags | XHPROF_FLAGS_NO_BUILTINS);
    xhprof_test_check_timeline($timeline, $tree);
    if ($flags === 0) {
        xhprof_test_show_timeline($timeline, $tree);
        echo implode(' ', array_keys($timeline)), "\n";
    }
    // A call lasts as long as its node's inclusive time grows by it.
    $inclusive = $tree['self']['wt'];
    $path = [];
    foreach ($tree['depth'] as $i => $depth) {
        for ($level = 0; $level < $depth; $level++) {
            $inclusive[$path[$level]] += $tree['self']['wt'][$i];
        }
        $path[$depth] = $i;
    }
    $lasted = [];
    foreach ($timeline['node'] as $i => $node) {
        $lasted[$node] = ($lasted[$node] ?? 0) + $timeline['d'][$i];
    }
    $most = 0;
    foreach ($lasted as $node => $ns) {
        $most = max($most, abs($ns - $inclusive[$node]));
    }
    echo $most <= 50 ? "times agree\n" : "times differ by $most ns\n";
    echo isset($timeline['memory']) && count($timeline['memory']) === count($timeline['t']) && min($timeline['memory']) > 0
        ? "memory\n" : (isset($timeline['memory']) ? "bad memory\n" : '');
}
?>
--EXPECT--
invariants: ok
timeline: ok
leaf
leaf
throws
  leaf
numbers
  leaf
leaf
numbers
leaf
numbers
last
  leaf
unit duration asked_threshold threshold raised folded marks_dropped t d node
times agree
invariants: ok
timeline: ok
times agree
invariants: ok
timeline: ok
times agree
memory
invariants: ok
timeline: ok
times agree
memory
