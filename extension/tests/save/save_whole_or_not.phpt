--TEST--
xhprof_save(): a file that can not be written whole is not there, nor a temporary one
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('Linux', 'a shell'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

if (isset($argv[1])) {
    for ($i = 0; $i < 500; $i++) {
        eval("function function_number_$i() {}");
    }
    ini_set('xhprof.output_dir', $argv[1]);
    xhprof_enable();
    for ($i = 0; $i < 500; $i++) {
        "function_number_$i"();
    }
    xhprof_disable();
    try {
        xhprof_save();
        echo "saved\n";
    } catch (RuntimeException $e) {
        echo 'RuntimeException', str_contains($e->getMessage(), $argv[1]) ? ' names the path' : " {$e->getMessage()}", "\n";
    }
    exit(0);
}
$folder = xhprof_test_folder();
$command = implode(' ', array_map('escapeshellarg', [...xhprof_test_command(), __FILE__, $folder]));
// The write fails half way with EFBIG, as with a full disk; no SIGXFSZ reaches the program, ignored or not.
foreach (["trap '' XFSZ; ", ''] as $trap) {
    passthru('/bin/sh -c ' . escapeshellarg("{$trap}ulimit -f 8; exec $command"), $code);
    echo $code, ' ', json_encode(xhprof_test_list($folder)), "\n";
}
?>
--EXPECT--
RuntimeException names the path
0 []
RuntimeException names the path
0 []
