--TEST--
Tick functions hang on the function whose statement ticked
--FILE--
<?php
declare(ticks=1);
require __DIR__ . '/../lib.inc';

function tick(): void { global $ticks; $ticks++; }

$ticks = 0;
register_tick_function('tick');
// Whether an assignment ticks differs from version to version; a call does.
[$before] = [$ticks, xhprof_enable(XHPROF_FLAGS_NO_BUILTINS)];
usleep(0);
usleep(0);
[$edges, $after] = [xhprof_disable(), $ticks];
unregister_tick_function('tick');
echo $after - $before >= 2 ? 'ticks' : 'does not tick', "\n";
$seen = $edges['main()==>tick']['ct'] ?? 0;
echo $seen === $after - $before ? 'all seen' : "$seen seen of $after - $before", "\n";
xhprof_test_check_invariants($edges, xhprof_call_tree());
?>
--EXPECT--
ticks
all seen
invariants: ok
