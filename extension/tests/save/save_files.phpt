--TEST--
xhprof_save() writes ID.SOURCE.run, the last stopped profile
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../run_files.inc';

function f(int $n): void
{
    strrev("abc$n");
    if ($n > 0) {
        f($n - 1);
    }
}

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);
foreach ([0, XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY] as $flags) {
    xhprof_enable($flags);
    f(3);
    $edges = xhprof_disable();
    $tree = xhprof_call_tree();
    $id = xhprof_save('phpt_1-A');
    echo preg_match('/^[0-9a-f]{32}$/', $id) ? 'an id' : $id, "\n";
    echo implode(' ', str_replace($id, 'ID', xhprof_test_list($folder))), "\n";

    echo xhprof_test_run_edges($folder, "$id.phpt_1-A") === $edges ? 'the same array' : 'another array', "\n";

    $json = xhprof_test_run_part($folder, "$id.phpt_1-A", 'tree');
    $n = count($tree['fn']);
    echo json_encode([xhprof_test_run_parts($folder, "$id.phpt_1-A"), $json['order'], $json['mode'], $json['n'] === $n, $json['unit']['wt']]), "\n";
    foreach (['names', 'files', 'file', 'line', 'last_line', 'fn', 'depth', 'ct', 'call_line', 'self'] as $column) {
        echo $column, $json[$column] === $tree[$column] ? ' ok' : ' differs', "\n";
    }
    $again = xhprof_save();
    echo $again !== $id ? 'another id' : 'the same id', ' ', xhprof_test_run_list($folder), "\n";
    array_map('unlink', glob("$folder/*"));
}
?>
--EXPECT--
an id
ID.phpt_1-A.run
the same array
[["meta","tree"],"preorder","merged",true,"ns"]
names ok
files ok
file ok
line ok
last_line ok
fn ok
depth ok
ct ok
call_line ok
self ok
another id 2 runs
an id
ID.phpt_1-A.run
the same array
[["meta","tree"],"preorder","merged",true,"ns"]
names ok
files ok
file ok
line ok
last_line ok
fn ok
depth ok
ct ok
call_line ok
self ok
another id 2 runs
