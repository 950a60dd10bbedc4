--TEST--
Time between two resumes of a generator is not the generator's
--FILE--
<?php
require __DIR__ . '/lib.inc';

function gen(): Generator
{
    for ($i = 0; $i < 3; $i++) {
        yield $i;
    }
}

function slow(): Generator
{
    usleep(30_000);
    yield 1;
    usleep(30_000);
}

xhprof_enable();
foreach (gen() as $x) {
    usleep(100_000);
}
foreach (slow() as $x) {
}
$edges = xhprof_disable();
xhprof_test_between('suspended', $edges['main()==>gen']['wt'], 0, 50_000);
xhprof_test_between('the caller', $edges['main()==>usleep']['wt'], 300_000, 2_000_000);
xhprof_test_between('its own', $edges['main()==>slow']['wt'], 60_000, 290_000);
xhprof_test_check_invariants($edges, xhprof_call_tree());
?>
--EXPECT--
suspended: ok
the caller: ok
its own: ok
invariants: ok
