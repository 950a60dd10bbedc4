--TEST--
Tick functions hang on the function whose statement ticked
--FILE--
<?php
declare(ticks=1);
require __DIR__ . '/../lib.inc';

function tick(): void
{
    global $ticks;
    $ticks++;
}

$ticks = 0;
register_tick_function('tick');
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
$ticks = 0;
$a = 1;
$before = $ticks;
$edges = xhprof_disable();
unregister_tick_function('tick');
// $before counts the ticks after "$ticks = 0" and "$a = 1"; one came before these, one after "$before = ...".
echo "$before of ", $edges['main()==>tick']['ct'] ?? 'none', "\n";
xhprof_test_check_invariants($edges, xhprof_call_tree());
?>
--EXPECT--
2 of 4
invariants: ok
