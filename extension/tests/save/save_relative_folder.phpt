--TEST--
xhprof_save() with a relative output_dir, after the program changed its folder
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../run_files.inc';

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
// Wherever it decides to write: a whole run for each of them, and nothing else.
$found = [];
foreach (["$folder/runs", "$folder/runs/runs"] as $dir) {
    array_push($found, ...xhprof_test_run_names($dir), ...array_diff(xhprof_test_run_others($dir), ['runs']));
}
sort($found);
$expected = ["$one.xhprof", "$two.xhprof"];
sort($expected);
echo $found === $expected ? 'both' : implode(' ', $found), "\n";
chdir('/');
?>
--EXPECT--
both
