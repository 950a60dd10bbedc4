--TEST--
xhprof_save(): the metadata says how the run was started
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);
$profiles = [
    static fn () => [xhprof_enable(), xhprof_disable()],
    static fn () => [xhprof_enable(XHPROF_FLAGS_ALLOC | XHPROF_FLAGS_CPU), xhprof_disable()],
    static fn () => [xhprof_sample_enable(), xhprof_sample_disable()],
    static fn () => [xhprof_enable(), xhprof_disable()],
];
foreach ($profiles as $profile) {
    $profile();
    $id = xhprof_save();
    $meta = xhprof_test_run_part($folder, "$id.xhprof", 'meta');
    echo json_encode([$meta['start'], $meta['mode'], $meta['flags'], isset($meta['sampling'])]), "\n";
    echo implode(' ', array_keys(array_intersect_key($meta, array_flip(['name', 'route', 'ended_by', 'parent', 'sample_rate', 'meta', 'status', 'url'])))), "\n";
}
?>
--EXPECT--
["manual","exact",0,false]

["manual","alloc",10,false]

["manual","sample",0,true]

["manual","exact",0,false]

