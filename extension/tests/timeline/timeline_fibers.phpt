--TEST--
The timeline shows which fiber ran when, and the calls of each, also of those that never end
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../timeline.inc';

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
