--TEST--
Sampling: profiles shorter than an interval, and what a program waits in, by either clock
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

echo "Sampling: many profiles shorter than an interval have as many samples together as their time is long, by either clock:\n";

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

echo "Sampling by the CPU clock: in many profiles shorter than an interval each function has its share, and what comes last no more:\n";

function works_briefly(int $us): void
{
    $end = xhprof_test_cpu() + $us;
    while (xhprof_test_cpu() < $end) {
        for ($i = 0, $x = 0; $i < 1000; $i++) {
            $x ^= $i;
        }
    }
}

function first(): void { works_briefly(20000); }
function last(): void { works_briefly(10000); }

/** What was left at a profile's end was the sample of who ended it: two of five. */
function is_shared(array $samples): bool
{
    $shared = $samples['first'] + $samples['last'];
    return $shared > 15 && $samples['neither'] < $shared / 2;
}

$samples = ['first' => 0, 'last' => 0, 'neither' => 0];
// Few samples say little: where other programs have the processors, more profiles are asked.
for ($i = 0; $i < 150 || ($i < 900 && !is_shared($samples)); $i++) {
    xhprof_sample_enable(['interval' => 100000, 'clock' => 'cpu']);
    first();
    last();
    foreach (xhprof_sample_disable() as $path) {
        $samples[preg_match('/==>(first|last)/', $path, $match) ? $match[1] : 'neither']++;
    }
}
echo is_shared($samples) ? 'shared' : json_encode($samples), "\n";

echo "Sampling by the CPU clock: what a program waits in is not charged for what it did before; no file and no signal of it is touched:\n";

function works_before_waiting(): void
{
    $end = xhprof_test_cpu() + 3000;
    while (xhprof_test_cpu() < $end) {
        for ($i = 0, $x = 0; $i < 1000; $i++) {
            $x ^= $i;
        }
    }
}

function waits(): void { usleep(3000); }

function selects(array $pair): void
{
    $read = [$pair[0]];
    $write = $except = null;
    stream_select($read, $write, $except, 0, 3000);
}

$pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
if (function_exists('pcntl_async_signals')) {
    pcntl_async_signals(true);
    foreach ([SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGURG] as $signal) {
        pcntl_signal($signal, static function (int $signal): void {
            echo "signal $signal\n";
        });
    }
}
$files = static fn (): int => count(glob('/proc/self/fd/*'));
$before = $files();
xhprof_sample_enable(['interval' => 1000, 'clock' => 'cpu']);
for ($i = 0; $i < 120; $i++) {
    works_before_waiting();
    waits();
    selects($pair);
    if ($i % 10 === 0 && $files() !== $before) {
        echo "another file is open\n";
    }
}
$samples = xhprof_sample_disable();
$waits = count(preg_grep('/==>(waits|selects)/', $samples));
echo count($samples) > 200 ? 'samples' : count($samples), "\n";
// Looks by a timer of the wall clock gave waits nearly all. Some they do have: going to sleep and waking up is work as well.
echo $waits < count($samples) * 0.2 ? 'work' : "$waits of " . count($samples) . ' wait', "\n";
?>
--EXPECT--
Sampling: many profiles shorter than an interval have as many samples together as their time is long, by either clock:
done
Sampling by the CPU clock: in many profiles shorter than an interval each function has its share, and what comes last no more:
shared
Sampling by the CPU clock: what a program waits in is not charged for what it did before; no file and no signal of it is touched:
samples
work
