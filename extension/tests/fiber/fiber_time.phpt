--TEST--
A suspended fiber is charged nothing; its own time is its own, below the call that has resumed it
--FILE--
<?php
require __DIR__ . '/../lib.inc';

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
$highest = ['task==>waits' => 15_000, 'waits==>Fiber::suspend' => 15_000, 'Fiber::start==>task' => 150_000,
    'Fiber::resume==>task' => 150_000, 'main()==>Fiber::start' => 150_000, 'main()==>Fiber::resume' => 150_000, 'main()==>outside' => 400_000];
for ($i = 0; $i < 5 || ($i < 50 && xhprof_test_above($best, $highest)); $i++) {
    xhprof_enable();
    $f = new Fiber('task');
    $f->start();
    outside();
    $f->resume();
    $edges = xhprof_disable();
    $i < 5 && xhprof_test_check_invariants($edges, xhprof_call_tree());
    foreach (array_keys($highest) as $key) {
        $best[$key] = min($best[$key] ?? PHP_INT_MAX, $edges[$key]['wt']);
    }
}
foreach ($best as $key => $us) {
    $low = match ($key) {
        'Fiber::start==>task', 'main()==>Fiber::start', 'Fiber::resume==>task', 'main()==>Fiber::resume' => 20_000,
        'main()==>outside' => 200_000,
        default => 0,
    };
    xhprof_test_between($key, $us, $low, $highest[$key]);
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
Fiber::resume==>task: ok
main()==>Fiber::start: ok
main()==>Fiber::resume: ok
main()==>outside: ok
