--TEST--
xhprof_save() and xhprof_enable() with literal arrays, which opcache shares and protects
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('opcache'); ?>
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

if (isset($argv[1])) {
    ini_set('xhprof.output_dir', $argv[1]);
    for ($i = 0; $i < 3; $i++) {
        xhprof_enable(0, ['ignored_functions' => ['nobody', 'none'], 'run_init' => true]);
        $edges = xhprof_disable();
        $id = xhprof_save('m', ['user' => 'ann', 'deep' => ['er' => ['est', 'of', ['all']]]]);
        echo json_encode(xhprof_test_run_part($argv[1], "$id.m", 'meta')['meta']), "\n";
    }
    exit(0);
}
$ini = ['opcache.enable_cli' => 1, 'opcache.file_update_protection' => 0, 'opcache.protect_memory' => 1];
xhprof_test_show(xhprof_test_child(__FILE__, [xhprof_test_folder()], $ini, ['opcache']));
?>
--EXPECT--
{"user":"ann","deep":{"er":["est","of",["all"]]}}
{"user":"ann","deep":{"er":["est","of",["all"]]}}
{"user":"ann","deep":{"er":["est","of",["all"]]}}
