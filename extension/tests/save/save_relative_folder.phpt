--TEST--
xhprof_save() with a relative output_dir, after the program changed its folder
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$folder = xhprof_test_folder();
mkdir("$folder/runs");
mkdir("$folder/runs/runs");
chdir($folder);
ini_set('xhprof.output_dir', 'runs');
xhprof_enable();
xhprof_disable();
$one = xhprof_save();
chdir('runs');
$two = xhprof_save();
// Wherever it decides to write: three whole files for each of them, and nothing else.
$found = [];
foreach (["$folder/runs", "$folder/runs/runs"] as $dir) {
    foreach ([$one, $two] as $id) {
        $found[$id] = ($found[$id] ?? 0) + count(glob("$dir/$id.xhprof.*"));
    }
}
echo implode(' ', $found), "\n";
chdir('/');
?>
--EXPECT--
3 3
