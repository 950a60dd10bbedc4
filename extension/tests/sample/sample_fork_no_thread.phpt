--TEST--
Sampling in a forked child that can start no thread: a warning, and the samples of before, whatever the error handler does
--EXTENSIONS--
pcntl
posix
--SKIPIF--
<?php
require __DIR__ . '/../needs.inc';
xhprof_test_needs('fork beside a thread');
if (!posix_setuid(100_000 + getmypid())) {
    die('skip needs a user of its own, for the limit of processes is counted by user');
}
xhprof_test_needs('one thread', 'sampling');
?>
--INI--
xhprof.sampling_interval=200
--FILE--
<?php
require __DIR__ . '/../lib.inc';

set_error_handler(static function (int $level, string $message): bool {
    echo $message, "\n";
    xhprof_enable();
    return true;
});

function works(): void
{
    $end = xhprof_test_cpu() + 50_000;
    while (xhprof_test_cpu() < $end) {
        strrev('x');
    }
}

posix_setuid(100_000 + getmypid());
xhprof_sample_enable();
works();
posix_setrlimit(POSIX_RLIMIT_NPROC, 3, 3); /* this process, its thread and the child */
$child = pcntl_fork();
if ($child === 0) {
    works();
    $samples = xhprof_sample_disable();
    echo count(preg_grep('/^main\(\)==>works/', $samples)) >= 10 ? 'samples' : count($samples), "\n";
    works();
    var_dump(xhprof_disable()['main()==>works']['ct']);
    exit(0);
}
pcntl_waitpid($child, $status);
var_dump($status);
?>
--EXPECT--
xhprof_sample_disable(): No samples since fork(): the sampling thread cannot start
samples
int(1)
int(0)
