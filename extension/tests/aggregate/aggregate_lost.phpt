--TEST--
xhprof.mode=aggregate: what cannot be brought to the folder in time is left to the next process; without a journal it is lost, as the log says
--EXTENSIONS--
ffi
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'proc_open()', 'Linux', '64 bits'); ?>
--INI--
ffi.enable=1
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

$folder = xhprof_test_folder();
mkdir("$folder/runs");
file_put_contents("$folder/program.php", XHPROF_TEST_WORK . 'work(5);');
$ini = xhprof_test_auto_ini(['mode' => 'aggregate', 'flush_seconds' => 3600, 'sampling_interval' => 1000], "$folder/runs");
$ini += ['log_errors' => 1, 'error_log' => "$folder/log"];
$clock = xhprof_test_clock();
$run = static function (string $limit = '') use ($folder, $ini, $clock): void {
    $command = implode(' ', array_map(escapeshellarg(...), [...xhprof_test_command($ini), "$folder/program.php"]));
    $process = proc_open(['/bin/sh', '-c', "$limit exec $command"], [1 => STDOUT, 2 => STDOUT], $pipes, null, $clock + getenv());
    echo 'code ', proc_close($process), "\n";
    echo is_file("$folder/log") ? preg_replace(['~^\[.*?\] ~m', '~/\S*/~'], ['', ''], file_get_contents("$folder/log")) : "no log\n";
};
$run();

// Somebody has the spool for as long as it takes.
$libc = FFI::cdef('struct lock { short type, whence; long start, length; int pid; };'
    . 'int open(const char *path, int flags); int fcntl(int fd, int command, struct lock *lock);');
$fd = $libc->open(glob("$folder/runs/.xhprof-aggregate.*")[0], 2);
$lock = $libc->new('struct lock');
$lock->type = 1; // F_WRLCK
$lock->length = 1;
echo $libc->fcntl($fd, 37, FFI::addr($lock)), "\n"; // F_OFD_SETLK
$run();
$limit = 'ulimit -f 100; '; // kB: a journal is larger
$run($limit);
$lock->type = 2; // F_UNLCK
echo $libc->fcntl($fd, 37, FFI::addr($lock)), "\n";
file_put_contents("$folder/log", '');
xhprof_test_clock_goes($clock, 7_200_000);
$run();
$requests = array_map(static fn (array $run): int => $run['aggregate']['requests'], xhprof_test_runs("$folder/runs"));
echo 'requests: ', json_encode($requests), ', journals: ', count(glob("$folder/runs/.*.journal")), "\n";
?>
--EXPECT--
code 0
no log
0
code 0
no log
code 0
xhprof: no journal in runs, so a killed process loses its part of a window: File too large
xhprof: a window for runs is lost: 1 requests
0
code 0
requests: [1,1], journals: 0
