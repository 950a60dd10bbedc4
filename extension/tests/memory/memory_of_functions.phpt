--TEST--
mu: what a function hands to its caller, keeps, frees; pmu: the growth of the peak
--FILE--
<?php
require __DIR__ . '/../lib.inc';

const MB = 1 << 20;

function returns(): string { return str_repeat('x', MB); }
function keeps(): void { $GLOBALS['kept'] = returns(); }
function frees(): void { unset($GLOBALS['kept']); }

function uses_and_drops(): int
{
    $a = str_repeat('x', 3 * MB);
    unset($a);
    return 1;
}

function calls_dropper(): void { uses_and_drops(); }

xhprof_enable(XHPROF_FLAGS_MEMORY);
$s = returns();
keeps();
frees();
calls_dropper();
$edges = xhprof_disable();
$slack = 100_000;
xhprof_test_between('returns', $edges['main()==>returns']['mu'], MB, MB + $slack);
xhprof_test_between('str_repeat', $edges['returns==>str_repeat']['mu'], 2 * MB, 2 * MB + $slack);
xhprof_test_between('keeps', $edges['main()==>keeps']['mu'], MB, MB + $slack);
xhprof_test_between('frees', $edges['main()==>frees']['mu'], -MB - $slack, -MB);
xhprof_test_between('drops', $edges['main()==>calls_dropper']['mu'], -1000, 1000);
xhprof_test_between('main()', $edges['main()']['mu'], MB, MB + $slack);
xhprof_test_between('peak of returns', $edges['main()==>returns']['pmu'], MB, MB + $slack);
xhprof_test_between('peak of keeps', $edges['main()==>keeps']['pmu'], MB, MB + $slack);
xhprof_test_between('peak of frees', $edges['main()==>frees']['pmu'], 0, 0);
xhprof_test_between('peak of drops', $edges['main()==>calls_dropper']['pmu'], 2 * MB - $slack, 2 * MB + $slack);
xhprof_test_between('peak of main()', $edges['main()']['pmu'], 4 * MB, 4 * MB + 2 * $slack);
xhprof_test_check_invariants($edges, xhprof_call_tree(), XHPROF_FLAGS_MEMORY);
?>
--EXPECT--
returns: ok
str_repeat: ok
keeps: ok
frees: ok
drops: ok
main(): ok
peak of returns: ok
peak of keeps: ok
peak of frees: ok
peak of drops: ok
peak of main(): ok
invariants: ok
