--TEST--
Sampling by the CPU clock: as many samples as the thread has CPU time, none where it sleeps; two functions as their times are; fork
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling', '/proc/self/schedstat'); ?>
--EXTENSIONS--
pcntl
--FILE--
<?php
require __DIR__ . '/../lib.inc';

/** CPU time of this thread, us: the timer's is not in it. The kernel adds it up at its ticks, up to 10 ms apart. */
function cpu(): int
{
    return intdiv((int) strtok(file_get_contents(sprintf('/proc/%d/task/%1$d/schedstat', getmypid())), ' '), 1000);
}

function works(int $ms): void
{
    $end = cpu() + $ms * 1000;
    while (cpu() < $end) {
        for ($i = 0, $x = 0; $i < 3000; $i++) {
            $x ^= $i;
        }
    }
}

function little(): void { works(30); }
function much(): void { works(90); }

function sleeps(): void
{
    usleep(30_000);
    $read = [fopen('php://stdin', 'r')];
    $write = $except = null;
    stream_select($read, $write, $except, 0, 30_000);
}

/** @return array<string, int> */
function counts(array $samples): array
{
    $counts = ['little' => 0, 'much' => 0, 'sleeps' => 0];
    foreach ($samples as $path) {
        $function = explode('==>', $path)[1] ?? 'main()';
        $counts[$function] = ($counts[$function] ?? 0) + 1;
    }
    return $counts;
}

for ($try = 0; $try < 10; $try++) {
    $start = cpu();
    xhprof_sample_enable(['interval' => 500, 'clock' => 'cpu']);
    for ($i = 0; $i < 10; $i++) {
        little();
        much();
        if ($i % 2 === 0) {
            sleeps();
        }
    }
    $counts = counts(xhprof_sample_disable());
    $time = (cpu() - $start) / 500;
    $said = [
        'ratio' => $counts['much'] / max($counts['little'], 1),
        'time' => array_sum($counts) / $time,
        'sleeps' => $counts['sleeps'] / $time,
    ];
    if (abs($said['ratio'] - 3) < 0.5 && abs($said['time'] - 1) < 0.03 && $said['sleeps'] < 0.03) {
        break;
    }
}
foreach (['ratio' => [2.5, 3.5], 'time' => [0.97, 1.03], 'sleeps' => [0, 0.03]] as $what => [$low, $high]) {
    xhprof_test_between($what, $said[$what], $low, $high);
}

// The child's CPU time begins anew; what it does counts, and not the time of its parent. Where others have the processors,
// what fork() and the new thread cost may be spread over it: then again.
for ($try = 0; $try < 40; $try++) {
    xhprof_sample_enable(['interval' => 500, 'clock' => 'cpu']);
    works(100);
    $child = pcntl_fork();
    if ($child === 0) {
        // An emulator uses much CPU time for code that runs for the first time, of sleeps() too.
        $ends = [cpu()];
        foreach (['much', 'sleeps', 'much'] as $function) {
            $function();
            $ends[] = cpu();
        }
        $counts = counts(xhprof_sample_disable());
        $much = $counts['much'] - ($ends[1] - $ends[0] + $ends[3] - $ends[2]) / 500;
        $sleeps = $counts['sleeps'] - ($ends[2] - $ends[1]) / 500;
        exit((int) (abs($much) <= 9 && $sleeps <= 2 && $counts['works'] >= 100));
    }
    xhprof_sample_disable();
    pcntl_waitpid($child, $status);
    if ($status === 1 << 8) {
        break;
    }
}
echo 'child: ', $status === 1 << 8 ? 'ok' : $status, "\n";
?>
--EXPECT--
ratio: ok
time: ok
sleeps: ok
child: ok
