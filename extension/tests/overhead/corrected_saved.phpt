--TEST--
The saved run has the corrected columns of the tree, and the overhead in its metadata
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(): int
{
    return mt_getrandmax();
}

function calls(): void
{
    for ($i = 0; $i < 1000; $i++) {
        leaf();
    }
}

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);
foreach ([0, XHPROF_FLAGS_NO_BUILTINS, XHPROF_FLAGS_CPU, XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY] as $flags) {
    xhprof_enable($flags);
    calls();
    xhprof_disable();
    $id = xhprof_save();
    $tree = xhprof_call_tree();
    $saved = json_decode(file_get_contents("$folder/$id.xhprof.tree.json"), true);
    $overhead = json_decode(file_get_contents("$folder/$id.xhprof.meta.json"), true)['overhead'];
    echo "$flags: ", implode(' ', array_keys($saved['corrected'])),
        $saved['corrected'] === $tree['corrected'] ? ', the same' : ', different',
        $saved['self'] === $tree['self'] ? '' : ', raw ones too', "\n";
    echo json_encode(array_map(array_keys(...), $overhead)), "\n";
    foreach ($overhead as $kind => $cost) {
        foreach ($cost as $who => $ns) {
            if (!is_numeric($ns) || $ns < 0 || $ns > 1e6) {
                echo "$kind, $who: ", var_export($ns, true), "\n";
            }
        }
        echo array_sum($cost) > 0 ? '' : "$kind costs nothing\n";
    }
}
?>
--EXPECT--
0: wt, the same
{"user":["callee","caller"],"internal":["callee","caller"]}
1: wt, the same
{"user":["callee","caller"],"internal":["callee","caller"]}
2: wt cpu, the same
{"user":["callee","caller"],"internal":["callee","caller"]}
6: wt cpu, the same
{"user":["callee","caller"],"internal":["callee","caller"]}
