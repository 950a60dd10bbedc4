--TEST--
xhprof_save() writes ID.SOURCE.xhprof, .tree.json and .meta.json of the last stopped profile
--FILE--
<?php
require __DIR__ . '/../lib.inc';

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

    $text = file_get_contents("$folder/$id.phpt_1-A.xhprof");
    echo unserialize($text, ['allowed_classes' => false]) === $edges ? 'the same array' : 'another array', "\n";
    echo serialize($edges) === $text ? 'the same bytes' : 'other bytes', "\n";

    $json = json_decode(file_get_contents("$folder/$id.phpt_1-A.tree.json"), true, 512, JSON_THROW_ON_ERROR);
    $n = count($tree['fn']);
    echo json_encode([$json['v'], $json['kind'], $json['order'], $json['mode'], $json['n'] === $n, $json['unit']['wt']]), "\n";
    foreach (['names', 'fn', 'depth', 'ct', 'self'] as $column) {
        echo $column, $json[$column] === $tree[$column] ? ' ok' : ' differs', "\n";
    }
    $again = xhprof_save();
    echo $again !== $id ? 'another id' : 'the same id', ' ', count(xhprof_test_list($folder)), " files\n";
    array_map('unlink', glob("$folder/*"));
}
?>
--EXPECT--
an id
ID.phpt_1-A.meta.json ID.phpt_1-A.tree.json ID.phpt_1-A.xhprof
the same array
the same bytes
[1,"tree","preorder","merged",true,"ns"]
names ok
fn ok
depth ok
ct ok
self ok
another id 6 files
an id
ID.phpt_1-A.meta.json ID.phpt_1-A.tree.json ID.phpt_1-A.xhprof
the same array
the same bytes
[1,"tree","preorder","merged",true,"ns"]
names ok
fn ok
depth ok
ct ok
self ok
another id 6 files
