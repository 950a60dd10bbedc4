--TEST--
A sampling costs its functions nothing, so its elapsed time is its duration
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../run_files.inc';

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);
xhprof_sample_enable();
usleep(20_000);
xhprof_sample_disable();
$meta = xhprof_test_run_part($folder, xhprof_save() . '.xhprof', 'meta');
echo $meta['duration_us'] > 0 && $meta['elapsed_us'] === $meta['duration_us'] ? 'the same' : json_encode($meta), "\n";
?>
--EXPECT--
the same
