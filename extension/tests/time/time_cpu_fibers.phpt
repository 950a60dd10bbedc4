--TEST--
CPU time of fibers and generators goes to who runs
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function spin(int $us): void
{
    $start = xhprof_test_cpu();
    while (xhprof_test_cpu() - $start < $us) {
        for ($i = 0, $x = 0; $i < 5000; $i++) { // the profiler takes the time of its own looks at a slow clock off
            $x ^= $i;
        }
    }
}

function task(): void
{
    spin(20_000);
    Fiber::suspend();
    spin(20_000);
}

function gen(): Generator
{
    yield 1;
    yield 2;
}

function outside(): void
{
    spin(250_000);
}

xhprof_enable(XHPROF_FLAGS_CPU | XHPROF_FLAGS_NO_BUILTINS);
$f = new Fiber('task');
$f->start();
foreach (gen() as $x) {
    outside();
}
$f->resume();
$edges = xhprof_disable();
xhprof_test_between('fiber', $edges['main()==>task']['cpu'], 38_000, 200_000);
xhprof_test_between('generator', $edges['main()==>gen']['cpu'], 0, 50_000);
xhprof_test_between('outside', $edges['main()==>outside']['cpu'], 490_000, 900_000);
xhprof_test_check_invariants($edges, xhprof_call_tree(), XHPROF_FLAGS_CPU);
?>
--EXPECT--
fiber: ok
generator: ok
outside: ok
invariants: ok
