--TEST--
Profiles that settings start: a log that is a pipe, which nobody reads or which is full, stops no program
--EXTENSIONS--
posix
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('proc_open()'); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

$folder = xhprof_test_folder();
posix_mkfifo("$folder/log", 0600);
$run = static function () use ($folder): void {
    $start = hrtime(true);
    $result = xhprof_test_auto('<?php echo "whole\n";', ['output_dir' => "$folder/missing"], [], ['error_log' => "$folder/log", 'log_errors' => 1]);
    echo $result['code'], ' ', $result['out'], preg_replace('~/\S*/~', '', $result['err']);
    xhprof_test_between('time', (hrtime(true) - $start) / 1e9, 0, 30);
};
$run();
$pipe = fopen("$folder/log", 'r+');
stream_set_blocking($pipe, false);
for ($size = 4096; $size > 0; $size = $size >> 1) {
    while (@fwrite($pipe, str_repeat('x', $size))) {
    }
}
$run();
?>
--EXPECT--
0 whole
xhprof: cannot write a run to missing: No such file or directory
time: ok
0 whole
xhprof: cannot write a run to missing: No such file or directory
time: ok
