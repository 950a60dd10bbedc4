--TEST--
Sampling: many profiles shorter than an interval have as many samples together as their time is long, by either clock
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

const TIMES = 600;
const INTERVAL = 1000;

function works(int $count): void
{
    for ($i = 0, $x = 0; $i < $count; $i++) {
        $x ^= $i;
    }
}

/** How much work takes a fifth of an interval, with a JIT too. */
function calibrated(): int
{
    $least = PHP_INT_MAX;
    for ($i = 0; $i < 50; $i++) {
        $start = hrtime(true);
        works(20000);
        $least = min($least, hrtime(true) - $start);
    }
    return (int) (20000 * INTERVAL * 1000 / 5 / $least);
}

$count = calibrated();
foreach (['wall' => fn(): float => hrtime(true) / 1000, 'cpu' => xhprof_test_cpu(...)] as $clock => $now) {
    for ($try = 0; $try < 10; $try++) {
        $samples = 0;
        // All of a profile is more than its work: it starts and stops, by another thread's CPU time as well.
        $work = $all = 0.0;
        for ($i = 0; $i < TIMES; $i++) {
            $begin = $now();
            xhprof_sample_enable(['interval' => INTERVAL, 'clock' => $clock]);
            $start = hrtime(true);
            works($count);
            $work += (hrtime(true) - $start) / 1000;
            $samples += count(xhprof_sample_disable());
            $all += $now() - $begin;
            usleep(random_int(0, INTERVAL)); // not in step with the intervals of wall time
        }
        if ($clock === 'cpu') {
            $start = $now();
            for ($i = 0; $i < TIMES; $i++) {
                works($count);
            }
            $work = $now() - $start;
        }
        if ($samples * INTERVAL > 0.6 * $work && $samples * INTERVAL < 1.4 * $all) {
            continue 2;
        }
    }
    printf("%s: %d samples of %d us, the work takes %.0f us, all %.0f us\n", $clock, $samples, INTERVAL, $work, $all);
}
echo "done\n";
?>
--EXPECT--
done
