--TEST--
CPU time: a busy function has it, a sleeping one has not
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function busy(): float
{
    // Measured by the process's own clock, not by turns: a loaded machine may give us less than we ask for.
    $x = 0.0;
    $start = xhprof_test_cpu();
    while (xhprof_test_cpu() - $start < 200_000) {
        for ($i = 0; $i < 10_000; $i++) {
            $x += sqrt($i);
        }
    }
    return $x;
}

function sleepy(): void
{
    usleep(200_000);
}

xhprof_enable(XHPROF_FLAGS_CPU | XHPROF_FLAGS_NO_BUILTINS);
$start = xhprof_test_cpu();
busy();
sleepy();
busy();
$whole = xhprof_test_cpu() - $start;
$edges = xhprof_disable();
xhprof_test_between('busy', $edges['main()==>busy']['cpu'], 380_000, 600_000);
xhprof_test_between('sleepy', $edges['main()==>sleepy']['cpu'], 0, 40_000);
xhprof_test_between('sleepy, wall', $edges['main()==>sleepy']['wt'], 200_000, 60_000_000);
xhprof_test_between('main() like the process', $edges['main()']['cpu'] - $whole, -20_000, 20_000);
xhprof_test_between('no more than wall', $edges['main()']['cpu'] - $edges['main()']['wt'], -PHP_INT_MAX, 1000);
xhprof_test_check_invariants($edges, xhprof_call_tree(), XHPROF_FLAGS_CPU);
?>
--EXPECT--
busy: ok
sleepy: ok
sleepy, wall: ok
main() like the process: ok
no more than wall: ok
invariants: ok
