--TEST--
A suspended fiber is charged nothing; its own time is its own, wherever it is resumed
--FILE--
<?php
require __DIR__ . '/lib.inc';

function task(): void
{
    usleep(20_000);
    waits();
    usleep(20_000);
}

function waits(): void
{
    Fiber::suspend();
}

function outside(): void
{
    usleep(200_000);
}

// The machine may stall at any moment: lower bounds hold always, upper ones for the best of some sessions.
$best = [];
for ($i = 0; $i < 5; $i++) {
    xhprof_enable();
    $f = new Fiber('task');
    $f->start();
    outside();
    $f->resume();
    $edges = xhprof_disable();
    xhprof_test_check_invariants($edges, xhprof_call_tree());
    foreach (
        ['task==>waits', 'waits==>Fiber::suspend', 'Fiber::start==>task', 'main()==>Fiber::start',
            'main()==>Fiber::resume', 'main()==>outside'] as $key
    ) {
        $best[$key] = min($best[$key] ?? PHP_INT_MAX, $edges[$key]['wt']);
    }
}
foreach ($best as $key => $us) {
    [$low, $high] = match ($key) {
        'Fiber::start==>task', 'main()==>Fiber::start' => [40_000, 150_000],
        'main()==>outside' => [200_000, 400_000],
        default => [0, 15_000],
    };
    xhprof_test_between($key, $us, $low, $high);
}
?>
--EXPECT--
invariants: ok
invariants: ok
invariants: ok
invariants: ok
invariants: ok
task==>waits: ok
waits==>Fiber::suspend: ok
Fiber::start==>task: ok
main()==>Fiber::start: ok
main()==>Fiber::resume: ok
main()==>outside: ok
