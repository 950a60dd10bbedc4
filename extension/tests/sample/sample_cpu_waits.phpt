--TEST--
Sampling by the CPU clock: what a program waits in is not charged for what it did before; no file and no signal of it is touched
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function works(): void
{
    $end = xhprof_test_cpu() + 3000;
    while (xhprof_test_cpu() < $end) {
        for ($i = 0, $x = 0; $i < 1000; $i++) {
            $x ^= $i;
        }
    }
}

function waits(): void
{
    usleep(3000);
}

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
    works();
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
samples
work
