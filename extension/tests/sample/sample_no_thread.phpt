--TEST--
Sampling without a thread warns; what the error handler starts then is not touched
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--EXTENSIONS--
posix
--FILE--
<?php
set_error_handler(static function (int $level, string $message): bool {
    echo strtok($message, '('), ': ', str_contains($message, 'the sampling thread cannot start') ? 'no thread' : $message, "\n";
    xhprof_enable();
    return true;
});

function works(int $i): int { return $i + 1; }

if (posix_geteuid() === 0) {
    posix_setuid(65534); /* the limit does not hold for root */
}
posix_setrlimit(POSIX_RLIMIT_NPROC, 0, 0);
xhprof_sample_enable();
for ($i = 0; $i < 1000; $i++) {
    works($i);
}
var_dump(xhprof_disable()['main()==>works']['ct']);
var_dump(xhprof_sample_disable());
?>
--EXPECT--
xhprof_sample_enable: no thread
int(1000)
NULL
