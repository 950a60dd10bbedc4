--TEST--
Loaded by dl() there are no hooks to be had: a warning, no profile, no crash
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('dl()'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$script = xhprof_test_folder() . '/dl.php';
file_put_contents($script, <<<'PHP'
    <?php
    var_dump(dl('xhprof.so'));
    function f(): void
    {
    }
    xhprof_enable();
    f();
    eval('f();');
    xhprof_sample_enable();
    f();
    var_dump(xhprof_disable(), xhprof_sample_disable(), xhprof_call_tree());
    echo "alive\n";
    PHP);
$library = xhprof_test_library();
xhprof_test_show(xhprof_test_child($script, [], ['extension_dir' => dirname($library), 'enable_dl' => 1], profiler: false));
?>
--EXPECTF--
bool(true)

Warning: xhprof was loaded by dl() and cannot profile: put "extension=xhprof" into php.ini in %s on line 6

Warning: xhprof was loaded by dl() and cannot profile: put "extension=xhprof" into php.ini in %s on line 9
NULL
NULL
NULL
alive
