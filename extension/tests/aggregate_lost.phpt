--TEST--
xhprof.mode=aggregate: what cannot be brought to the folder in time is told in the log
--EXTENSIONS--
ffi
--SKIPIF--
<?php
if (!function_exists('proc_open')) {
    die('skip needs proc_open');
}
if (PHP_OS_FAMILY !== 'Linux' || PHP_INT_SIZE !== 8) {
    die('skip locks as Linux has them');
}
?>
--INI--
ffi.enable=1
--FILE--
<?php
require __DIR__ . '/lib.inc';
require __DIR__ . '/auto.inc';
require __DIR__ . '/aggregate.inc';

$folder = xhprof_test_folder();
mkdir("$folder/runs");
file_put_contents("$folder/program.php", XHPROF_TEST_WORK . 'work(5);');
$ini = xhprof_test_auto_ini(['mode' => 'aggregate', 'flush_seconds' => 3600, 'sampling_interval' => 1000], "$folder/runs");
$ini += ['log_errors' => 1, 'error_log' => "$folder/log"];
$run = static function () use ($folder, $ini): void {
    $child = xhprof_test_child("$folder/program.php", [], $ini, [], null, getenv());
    echo "code $child[code]$child[out]$child[err]\n";
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
?>
--EXPECT--
code 0
no log
0
code 0
xhprof: an aggregate for runs is lost: 1 requests
