--TEST--
Time between two resumes of a generator is not the generator's
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function gen(): Generator
{
    for ($i = 0; $i < 3; $i++) {
        yield $i;
    }
}

function slow(): Generator
{
    usleep(20_000);
    yield 1;
    usleep(20_000);
}

// The machine may stall at any moment: lower bounds hold always, upper ones for the best of some sessions.
$best = [];
$highest = ['main()==>gen' => 10_000, 'main()==>usleep' => 400_000, 'main()==>slow' => 140_000];
for ($i = 0; $i < 5 || ($i < 50 && xhprof_test_above($best, $highest)); $i++) {
    xhprof_enable();
    foreach (gen() as $x) {
        usleep(50_000);
    }
    foreach (slow() as $x) {
    }
    $edges = xhprof_disable();
    $i < 5 && xhprof_test_check_invariants($edges, xhprof_call_tree());
    foreach (array_keys($highest) as $key) {
        $best[$key] = min($best[$key] ?? PHP_INT_MAX, $edges[$key]['wt']);
    }
}
xhprof_test_between('suspended', $best['main()==>gen'], 0, $highest['main()==>gen']);
xhprof_test_between('the caller', $best['main()==>usleep'], 150_000, $highest['main()==>usleep']);
xhprof_test_between('its own', $best['main()==>slow'], 40_000, $highest['main()==>slow']);
?>
--EXPECT--
invariants: ok
invariants: ok
invariants: ok
invariants: ok
invariants: ok
suspended: ok
the caller: ok
its own: ok
