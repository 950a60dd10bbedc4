--TEST--
Collections of garbage, marks of allocations and spans have their times in the timeline
--INI--
xhprof.start_with_request=yes
xhprof.mode=exact
--FILE--
<?php
require __DIR__ . '/../timeline.inc';

function work(): void
{
    xhprof_begin_span('inner job');
    $cycle = new stdClass();
    $cycle->self = $cycle;
    unset($cycle);
    gc_collect_cycles();
    xhprof_end_span();
}

xhprof_enable(XHPROF_FLAGS_TIMELINE | XHPROF_FLAGS_ALLOC | XHPROF_FLAGS_NO_BUILTINS, ['timeline_threshold' => 0]);
xhprof_alloc_mark();
@work();
xhprof_alloc_mark();
@xhprof_begin_span('left open');
xhprof_disable();
[$timeline, $tree] = xhprof_test_timeline();
xhprof_test_check_timeline($timeline, $tree);
echo count($timeline['gc']['t']), ' ', implode(' ', $timeline['gc']['freed']), "\n";
echo implode(' ', $timeline['alloc_marks']['mark']), ' ', implode(' ', $timeline['alloc_marks']['d']), "\n";
foreach ($timeline['spans']['name'] as $name) {
    echo $tree['names'][$name], "\n";
}
[$span, $open] = array_keys($timeline['spans']['t']);
$end = static fn (string $track, int $i): int => $timeline[$track]['t'][$i] + $timeline[$track]['d'][$i];
$collected = $timeline['gc']['t'][0];
echo $timeline['spans']['t'][$span] <= $collected && $end('gc', 0) <= $end('spans', $span) ? "within\n" : "not within\n";
echo $end('spans', $open) === $timeline['duration'] ? "to the end\n" : "not to the end\n";
echo $timeline['alloc_marks']['t'][0] <= $collected && $collected <= $timeline['alloc_marks']['t'][1] ? "between\n" : "not between\n";
?>
--EXPECT--
timeline: ok
1 1
1 2 0 0
inner job
left open
within
to the end
between
