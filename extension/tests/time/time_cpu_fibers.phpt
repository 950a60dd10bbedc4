--TEST--
CPU time of fibers and generators goes to who runs
--FILE--
<?php
require __DIR__ . '/../lib.inc';

/** CPU time, in us, as its functions have measured it themselves. */
$own = [];

function spin(string $function, int $us): void
{
    $start = xhprof_test_cpu();
    do {
        for ($i = 0, $x = 0; $i < 50_000; $i++) { // long: the profiler takes its own looks at a slow clock off
            $x ^= $i;
        }
        $now = xhprof_test_cpu();
    } while ($now - $start < $us);
    $GLOBALS['own'][$function] = ($GLOBALS['own'][$function] ?? 0) + $now - $start;
}

function task(): void
{
    spin('task', 30_000);
    Fiber::suspend();
    spin('task', 30_000);
}

function gen(): Generator
{
    yield 1;
    yield 2;
}

function outside(): void
{
    spin('outside', 250_000);
}

xhprof_enable(XHPROF_FLAGS_CPU | XHPROF_FLAGS_NO_BUILTINS);
$f = new Fiber('task');
$f->start();
foreach (gen() as $x) {
    outside();
}
$f->resume();
$edges = xhprof_disable();
// What another one did would be several times as much, half of its own half as much.
foreach (['task', 'outside'] as $function) {
    xhprof_test_between($function, $edges["main()==>$function"]['cpu'] / $own[$function], 0.8, 1.5);
}
xhprof_test_between('gen', $edges['main()==>gen']['cpu'] / $own['outside'], 0, 0.05);
xhprof_test_check_invariants($edges, xhprof_call_tree(), XHPROF_FLAGS_CPU);
?>
--EXPECT--
task: ok
outside: ok
gen: ok
invariants: ok
