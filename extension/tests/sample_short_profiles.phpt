--TEST--
Sampling: many profiles shorter than an interval have as many samples together as their time is long, by either clock
--FILE--
<?php
require __DIR__ . '/lib.inc';

const TIMES = 600;

function works(): void
{
    for ($i = 0, $x = 0; $i < 20000; $i++) {
        $x ^= $i;
    }
}

/** CPU time that the work takes without profiles, us; a thread's own is only told where it has waited. */
function cpu_time(): float
{
    $usage = getrusage();
    $start = $usage['ru_utime.tv_sec'] * 1e6 + $usage['ru_utime.tv_usec'];
    for ($i = 0; $i < TIMES; $i++) {
        works();
    }
    $usage = getrusage();
    return $usage['ru_utime.tv_sec'] * 1e6 + $usage['ru_utime.tv_usec'] - $start;
}

foreach (['wall', 'cpu'] as $clock) {
    for ($try = 0; $try < 8; $try++) {
        $samples = 0;
        $time = $clock === 'cpu' ? cpu_time() : 0.0;
        for ($i = 0; $i < TIMES; $i++) {
            xhprof_sample_enable(['interval' => 1000, 'clock' => $clock]);
            $start = hrtime(true);
            works();
            $time += $clock === 'cpu' ? 0 : (hrtime(true) - $start) / 1000;
            $samples += count(xhprof_sample_disable());
            usleep(random_int(0, 1000)); // not in step with the intervals of wall time
        }
        $share = $samples * 1000 / $time;
        if (abs($share - 1) < 0.4) {
            break;
        }
    }
    // Starting and stopping is time of the profile as well.
    xhprof_test_between($clock, $share, 0.6, 1.6);
}
?>
--EXPECT--
wall: ok
cpu: ok
