--TEST--
A sampling costs its functions nothing, so its elapsed time is its duration
--SKIPIF--
<?php
require __DIR__ . '/../lib.inc';
xhprof_test_needs_sampling();
?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);
xhprof_sample_enable();
usleep(20_000);
xhprof_sample_disable();
$meta = json_decode(file_get_contents("$folder/" . xhprof_save() . '.xhprof.meta.json'), true);
echo $meta['duration_us'] > 0 && $meta['elapsed_us'] === $meta['duration_us'] ? 'the same' : json_encode($meta), "\n";
?>
--EXPECT--
the same
