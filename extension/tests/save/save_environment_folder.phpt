--TEST--
xhprof.output_dir comes before the environment's XHPROF_OUTPUT_DIR, as in the library
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

if (isset($argv[1])) {
    ini_set('xhprof.output_dir', $argv[1]);
    xhprof_enable();
    xhprof_disable();
    xhprof_save();
    exit(0);
}
$environment = xhprof_test_folder();
$env = ['XHPROF_OUTPUT_DIR' => $environment] + getenv();
foreach ([xhprof_test_folder(), ''] as $setting) {
    xhprof_test_show(xhprof_test_child(__FILE__, [$setting], [], [], null, $env));
    echo $setting === '' ? 'empty: ' : 'set: ', $setting === '' ? '' : xhprof_test_run_list($setting) . ' there, ',
        xhprof_test_run_list($environment), " in the environment's folder\n";
}
?>
--EXPECT--
set: 1 runs there, 0 runs in the environment's folder
empty: 1 runs in the environment's folder
