--TEST--
pcntl_fork() within a profile: CPU time is counted on in the child and in the parent, by every clock
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('pcntl_fork()'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(): float
{
    $x = 0.0;
    for ($i = 0; $i < 10_000; $i++) {
        $x += $i / 3; // much work beside few calls: the profiler's own system calls count for no function
    }
    return $x;
}

function spin(int $us): void
{
    $start = xhprof_test_cpu();
    while (xhprof_test_cpu() - $start < $us) {
        leaf();
    }
}

function before(): void { spin(100_000); }

function in_child(): void
{
    spin(100_000);
    usleep(20_000);
    spin(100_000);
}

function in_parent(): void { spin(50_000); }

function shown(array $edges, string $own): void
{
    xhprof_test_between('before', $edges['main()==>before']['cpu'], 60_000, 250_000);
    xhprof_test_between($own, $edges["main()==>$own"]['cpu'], $own === 'in_child' ? 120_000 : 25_000, 500_000);
    xhprof_test_between('no more than wall', $edges['main()']['cpu'] - $edges['main()']['wt'], -PHP_INT_MAX, 1000);
    xhprof_test_check_invariants($edges, xhprof_call_tree(), XHPROF_FLAGS_CPU);
}

if (isset($argv[1])) {
    xhprof_enable(XHPROF_FLAGS_CPU);
    before();
    $pid = pcntl_fork();
    if ($pid === 0) {
        in_child();
        $edges = xhprof_disable();
        shown($edges, 'in_child');
        // And in a profile of its own.
        xhprof_enable(XHPROF_FLAGS_CPU);
        before();
        in_child();
        shown(xhprof_disable(), 'in_child');
        exit(0);
    }
    in_parent();
    pcntl_waitpid($pid, $status);
    $edges = xhprof_disable();
    shown($edges, 'in_parent');
    echo 'exit code ', pcntl_wexitstatus($status), "\n";
    exit(0);
}
$first = null;
foreach (['rseq', 'interpolate', 'syscall', 'getrusage'] as $clock) {
    echo "-- $clock\n";
    $child = xhprof_test_child(__FILE__, ['child'], ['xhprof.cpu_clock' => $clock], ['pcntl']);
    $first ??= $child['out'];
    xhprof_test_show($child['out'] === $first ? ['out' => "the same\n"] + $child : $child);
}
echo $first;
?>
--EXPECT--
-- rseq
the same
-- interpolate
the same
-- syscall
the same
-- getrusage
the same
before: ok
in_child: ok
no more than wall: ok
invariants: ok
before: ok
in_child: ok
no more than wall: ok
invariants: ok
before: ok
in_parent: ok
no more than wall: ok
invariants: ok
exit code 0
