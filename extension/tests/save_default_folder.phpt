--TEST--
xhprof_save() without xhprof.output_dir writes to the system's folder for temporary files
--FILE--
<?php
require __DIR__ . '/lib.inc';

if (isset($argv[1])) {
    xhprof_enable();
    xhprof_disable();
    $id = xhprof_save();
    echo is_file(sys_get_temp_dir() . "/$id.xhprof.xhprof") ? 'there' : 'not there', "\n";
    exit(0);
}
$folder = xhprof_test_folder();
xhprof_test_show(xhprof_test_child(__FILE__, ['child'], [], [], null, ['TMPDIR' => $folder] + getenv()));
echo count(xhprof_test_list($folder)), " files\n";
?>
--EXPECT--
there
3 files
