--TEST--
xhprof_save() keeps to open_basedir
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

$folder = xhprof_test_folder();
mkdir("$folder/inside");
mkdir("$folder/outside");
file_put_contents("$folder/inside/script.php", '<?php
foreach (["inside", "outside", "inside/../outside"] as $where) {
    ini_set("xhprof.output_dir", $argv[1] . "/" . $where);
    xhprof_enable();
    xhprof_disable();
    try {
        @xhprof_save();
        echo "$where: saved\n";
    } catch (RuntimeException $e) {
        echo "$where: RuntimeException\n";
    }
}');
xhprof_test_show(xhprof_test_child("$folder/inside/script.php", [$folder], ['open_basedir' => "$folder/inside"]));
echo xhprof_test_run_list("$folder/inside"), ', ', xhprof_test_run_list("$folder/outside"), "\n";
?>
--EXPECT--
inside: saved
outside: RuntimeException
inside/../outside: RuntimeException
1 runs script.php, 0 runs
