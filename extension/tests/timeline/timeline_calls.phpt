--TEST--
A timeline has every call at its time, in the fiber that makes it
--FILE--
<?php
require __DIR__ . '/../timeline.inc';

echo "With a threshold of 0 the timeline has every call at its time, in every mode: exceptions, generators, open calls:\n";

function leaf(): void { usleep(1); }
function throws(): void { leaf(); throw new LogicException(); }

function numbers(): Generator
{
    leaf();
    yield 1;
    yield 2;
}

function last(): ?array { leaf(); return xhprof_disable(); }

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

echo "A timeline keeps every call, however short, as long as there is room:\n";

function short(): void
{
}

function page(): void
{
    for ($i = 0; $i < 151; $i++) {
        short();
    }
}

xhprof_enable(XHPROF_FLAGS_TIMELINE | XHPROF_FLAGS_NO_BUILTINS);
page();
$edges = xhprof_disable();
[$timeline, $tree] = xhprof_test_timeline();
xhprof_test_check_timeline($timeline, $tree);
$names = array_map(static fn (int $node): string => $tree['names'][$tree['fn'][$node]], $timeline['node']);
echo $edges['page==>short']['ct'], ' ', array_count_values($names)['short'], "\n";
echo $timeline['asked_threshold'], ' ', $timeline['threshold'], ' ', $timeline['raised'], "\n";

echo "The timeline shows which fiber ran when, and the calls of each, also of those that never end:\n";

function step(): void
{
}

function job(): void
{
    step();
    Fiber::suspend();
    step();
}

function start(): Fiber
{
    $fiber = new Fiber(job(...));
    $fiber->start();
    return $fiber;
}

xhprof_enable(XHPROF_FLAGS_TIMELINE | XHPROF_FLAGS_NO_BUILTINS, ['timeline_threshold' => 0]);
$one = start();
$two = start();
$one->resume();
step();
xhprof_disable();
[$timeline, $tree] = xhprof_test_timeline();
xhprof_test_check_timeline($timeline, $tree);
xhprof_test_show_timeline($timeline, $tree);
echo implode(' ', $timeline['fibers']['fiber']), "\n";
$ends = 0;
foreach ($timeline['fibers']['t'] as $i => $t) {
    $ends += $t === ($i === 0 ? 0 : $timeline['fibers']['t'][$i - 1] + $timeline['fibers']['d'][$i - 1]) ? 0 : 1;
}
echo $ends === 0 ? "one after the other\n" : "gaps\n";
echo array_sum($timeline['fibers']['d']) === $timeline['duration'] ? "all the time\n" : "not all the time\n";
// The second one never ends: its call ends with the profile.
foreach ($timeline['fiber'] as $i => $fiber) {
    if ($fiber === 2 && $tree['names'][$tree['fn'][$timeline['node'][$i]]] === 'job') {
        echo $timeline['t'][$i] + $timeline['d'][$i] === $timeline['duration'] ? "open to the end\n" : "closed\n";
    }
}
?>
--EXPECT--
With a threshold of 0 the timeline has every call at its time, in every mode: exceptions, generators, open calls:
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
A timeline keeps every call, however short, as long as there is room:
timeline: ok
151 151
0 0 0
The timeline shows which fiber ran when, and the calls of each, also of those that never end:
timeline: ok
start
job in fiber 1
  step in fiber 1
start
job in fiber 2
  step in fiber 2
  step in fiber 1
step
0 1 0 2 0 1 0
one after the other
all the time
open to the end
