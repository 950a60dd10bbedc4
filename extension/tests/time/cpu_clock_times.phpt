--TEST--
Every CPU clock shows which function is busy and which one sleeps, and its total is the process's
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function busy(): void
{
    $start = xhprof_test_cpu();
    while (xhprof_test_cpu() - $start < 150_000) {
        leaf();
    }
}

function leaf(): float
{
    $x = 0.0;
    for ($i = 0; $i < 10_000; $i++) {
        $x += $i / 3; // much work beside few calls: the profiler's own system calls count for no function
    }
    return $x;
}

function sleepy(): void
{
    for ($i = 0; $i < 10; $i++) {
        usleep(15_000);
        leaf();
    }
}

if (isset($argv[1])) {
    $flags = XHPROF_FLAGS_CPU | (int) $argv[1];
    xhprof_enable($flags);
    $start = xhprof_test_cpu();
    busy();
    sleepy();
    busy();
    $whole = xhprof_test_cpu() - $start;
    $edges = xhprof_disable();
    xhprof_test_between('busy', $edges['main()==>busy']['cpu'], 200_000, 600_000);
    xhprof_test_between('sleepy', $edges['main()==>sleepy']['cpu'], 0, 50_000);
    xhprof_test_between('main() and the process', $edges['main()']['cpu'] / $whole, 0.6, 1.1);
    xhprof_test_between('no more than wall', $edges['main()']['cpu'] - $edges['main()']['wt'], -PHP_INT_MAX, 1000);
    xhprof_test_check_invariants($edges, xhprof_call_tree(), $flags);
    exit(0);
}
foreach ([0, XHPROF_FLAGS_NO_BUILTINS | XHPROF_FLAGS_MEMORY] as $flags) {
    echo "Flags $flags:\n";
    xhprof_test_alike(['rseq', 'interpolate', 'syscall', 'getrusage'],
        static fn (string $clock) => xhprof_test_show(xhprof_test_child(__FILE__, [(string) $flags], ['xhprof.cpu_clock' => $clock])));
}
?>
--EXPECT--
Flags 0:
-- rseq
busy: ok
sleepy: ok
main() and the process: ok
no more than wall: ok
invariants: ok
-- interpolate: as rseq
-- syscall: as rseq
-- getrusage: as rseq
Flags 5:
-- rseq
busy: ok
sleepy: ok
main() and the process: ok
no more than wall: ok
invariants: ok
-- interpolate: as rseq
-- syscall: as rseq
-- getrusage: as rseq
