--TEST--
The environment's XHPROF_OUTPUT_DIR comes before xhprof.output_dir, as in the library
--FILE--
<?php
require __DIR__ . '/../lib.inc';

if (isset($argv[1])) {
    ini_set('xhprof.output_dir', $argv[1]);
    xhprof_enable();
    xhprof_disable();
    xhprof_save();
    exit(0);
}
$setting = xhprof_test_folder();
foreach ([xhprof_test_folder(), ''] as $environment) {
    $env = ['XHPROF_OUTPUT_DIR' => $environment] + getenv();
    xhprof_test_show(xhprof_test_child(__FILE__, [$setting], [], [], null, $env));
    echo $environment === '' ? 'empty: ' : 'set: ', $environment === '' ? '' : count(xhprof_test_list($environment)) . ' there, ',
        count(xhprof_test_list($setting)), " in the setting's folder\n";
}
?>
--EXPECT--
set: 3 there, 0 in the setting's folder
empty: 3 in the setting's folder
