--TEST--
Sampling breaks no system call, and those that the program's own timers break are broken as without it
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--EXTENSIONS--
ffi
pcntl
--INI--
ffi.enable=1
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$libc = FFI::cdef('struct timeval { long sec; long usec; };
    struct itimerval { struct timeval interval; struct timeval value; };
    int setitimer(int which, const struct itimerval *new, struct itimerval *old);');
$received = 0;
pcntl_async_signals(true);
pcntl_signal(SIGALRM, static function () use (&$received): void {
    $received++;
}, false);

function timer(int $us): void
{
    $value = $GLOBALS['libc']->new('struct itimerval');
    $value->value->usec = $us;
    $GLOBALS['libc']->setitimer(0, FFI::addr($value), null);
}

/** How many of so many waits a signal broke. */
function waits(int $times, int $alarm): int
{
    $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    for ($broken = 0, $i = 0; $i < $times; $i++) {
        $alarm && timer($alarm);
        $read = [$pair[0]];
        $write = $except = null;
        $broken += (int) (@stream_select($read, $write, $except, 0, $alarm ? 900_000 : 10_000) === false);
        $alarm && timer(0);
        $broken += (int) (time_nanosleep(0, 5_000_000) !== true);
    }
    return $broken;
}

foreach ([null, ['clock' => 'wall'], ['clock' => 'cpu']] as $options) {
    $options && xhprof_sample_enable($options + ['interval' => 100]);
    for ($try = 0; $try < 10; $try++) { // a machine that stalls may let the alarm come before the wait
        $received = 0;
        $broken = [waits(20, 0), waits(20, 20_000)];
        if ($broken[1] === 20) {
            break;
        }
    }
    $options && xhprof_sample_disable();
    echo $options['clock'] ?? 'none', ': ', implode(' ', $broken), ", $received signals\n";
}
?>
--EXPECT--
none: 0 20, 20 signals
wall: 0 20, 20 signals
cpu: 0 20, 20 signals
