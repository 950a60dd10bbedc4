--TEST--
Sampling leaves signals and system calls alone: async handlers run in the program, nothing is interrupted but by its own signals
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--EXTENSIONS--
pcntl
posix
--INI--
xhprof.sampling_interval=100
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$received = [];
pcntl_async_signals(true);
foreach ([SIGUSR1, SIGALRM, SIGPROF, SIGTERM, SIGCHLD] as $signal) {
    pcntl_signal($signal, static function (int $signal) use (&$received): void {
        $received[$signal] = ($received[$signal] ?? 0) + 1;
    }, false);
}

function waits(): void
{
    global $received;
    for ($i = 0; $i < 20_000 && !isset($received[SIGALRM]); $i++) {
        usleep(1000);
    }
}

function signals_itself(): void
{
    for ($i = 0; $i < 100; $i++) {
        posix_kill(getmypid(), SIGUSR1);
        strrev('x');
    }
}

/** A system call that returns early only when a signal's handler ran. */
function sleeps(): int { return sleep(1); }

function selects(): int
{
    $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    $read = [$pair[0]];
    $write = $except = null;
    return stream_select($read, $write, $except, 0, 300_000);
}

xhprof_sample_enable();
pcntl_alarm(1);
waits();
signals_itself();
$left = sleeps();
$selected = selects();
$samples = xhprof_sample_disable();
var_dump($received[SIGALRM], $received[SIGUSR1], count($received), $left, $selected);
foreach (['waits==>usleep', 'sleeps==>sleep', 'selects==>stream_select'] as $path) {
    echo $path, ': ', count(array_keys($samples, "main()==>$path", true)) > 1000 ? 'samples' : 'too few', "\n";
}

// A system call is broken by the program's own signal, as without sampling.
for ($left = 0, $i = 0; $i < 3 && $left === 0; $i++) { // a machine that stalls may let the alarm come before
    $received[SIGALRM] = 0;
    xhprof_sample_enable();
    pcntl_alarm(1);
    $left = sleep(30);
    xhprof_sample_disable();
}
xhprof_test_between('left of 30 seconds', $left, 1, 29);
var_dump($received[SIGALRM]);
?>
--EXPECT--
int(1)
int(100)
int(2)
int(0)
int(0)
waits==>usleep: samples
sleeps==>sleep: samples
selects==>stream_select: samples
left of 30 seconds: ok
int(1)
