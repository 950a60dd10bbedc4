--TEST--
A session that auto_prepend_file starts and a shutdown function stops: the main script is in it
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$folder = xhprof_test_folder();
file_put_contents("$folder/prepend.php", '<?php
require ' . var_export(__DIR__ . '/../lib.inc', true) . ';
register_shutdown_function(function () {
    $edges = xhprof_disable();
    $shown = [];
    foreach ($edges as $key => $values) {
        $shown[str_replace(basename(__DIR__), "dir", $key)] = $values;
    }
    xhprof_test_edges($shown);
    xhprof_test_check_invariants($edges, xhprof_call_tree());
});
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
');
file_put_contents("$folder/script.php", '<?php function work() { leaf(); } function leaf() { static $n; $n++; } work(); leaf();');
file_put_contents("$folder/append.php", '<?php leaf();');
xhprof_test_show(xhprof_test_child("$folder/script.php", [],
    ['auto_prepend_file' => "$folder/prepend.php", 'auto_append_file' => "$folder/append.php"]));
?>
--EXPECT--
main(): ct=1
main()==>leaf: ct=2
main()==>load::dir/append.php: ct=1
main()==>load::dir/script.php: ct=1
main()==>work: ct=1
main()==>{closure:dir/prepend.php:3}: ct=1
work==>leaf: ct=1
invariants: ok
