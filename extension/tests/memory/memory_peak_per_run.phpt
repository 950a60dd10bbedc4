--TEST--
pmu is per run, not per process; memory_get_peak_usage() is right again after the run
--FILE--
<?php
require __DIR__ . '/../lib.inc';

const MB = 1 << 20;

function allocates(int $bytes): int { $a = str_repeat('x', $bytes); return strlen($a); }

/** @return array{int, int} pmu of allocates() and main() in a session of its own */
function session(int $bytes): array
{
    xhprof_enable(XHPROF_FLAGS_MEMORY);
    allocates($bytes);
    $edges = xhprof_disable();
    return [$edges['main()==>allocates']['pmu'], $edges['main()']['pmu']];
}

allocates(20 * MB);
$before = memory_get_peak_usage();
[$first, $firstMain] = session(4 * MB);
$after = memory_get_peak_usage();
[$second, $secondMain] = session(4 * MB);
[$third] = session(4 * MB);
xhprof_test_between('first run', $first, 4 * MB, 4 * MB + 100_000);
xhprof_test_between('first run, main()', $firstMain, 4 * MB, 4 * MB + 100_000);
xhprof_test_between('second like the first', $second - $first, -8192, 8192);
xhprof_test_between('second like the first, main()', $secondMain - $firstMain, -8192, 8192);
xhprof_test_between('third like the first', $third - $first, -8192, 8192);
xhprof_test_between('peak before', $before, 20 * MB, 22 * MB);
xhprof_test_between('peak after a smaller run', $after - $before, 0, 100_000);
session(40 * MB);
xhprof_test_between('peak after a larger run', memory_get_peak_usage(), 40 * MB, 42 * MB);
xhprof_test_between('real peak after a larger run', memory_get_peak_usage(true), 40 * MB, 60 * MB);

// Without the memory flag nobody touches the peak.
memory_reset_peak_usage();
xhprof_enable();
allocates(5 * MB);
$during = memory_get_peak_usage();
xhprof_disable();
xhprof_test_between('peak in a run without memory', $during, 5 * MB, 7 * MB);

// A session that ends by itself, and one that is stopped in a callee, give the peak back too.
xhprof_enable(XHPROF_FLAGS_MEMORY);
allocates(30 * MB);
(static fn () => xhprof_disable())();
xhprof_test_between('peak after a stop below', memory_get_peak_usage(), 30 * MB, 32 * MB);
?>
--EXPECT--
first run: ok
first run, main(): ok
second like the first: ok
second like the first, main(): ok
third like the first: ok
peak before: ok
peak after a smaller run: ok
peak after a larger run: ok
real peak after a larger run: ok
peak in a run without memory: ok
peak after a stop below: ok
