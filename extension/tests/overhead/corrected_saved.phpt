--TEST--
The saved run has the measured columns of the tree, and in its metadata the overhead from which readers find the corrected ones
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../run_files.inc';

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
    $saved = xhprof_test_run_part($folder, "$id.xhprof", 'tree');
    $overhead = xhprof_test_run_part($folder, "$id.xhprof", 'meta')['overhead'];
    echo "$flags: ", implode(' ', array_keys($tree['corrected'])), isset($saved['corrected']) ? ' saved' : '',
        $saved['self'] === $tree['self'] ? ', measured the same' : ', measured different', "\n";
    echo json_encode(array_map(array_keys(...), $overhead)), "\n";
    foreach ($overhead as $kind => $cost) {
        foreach ($cost as $who => $ns) {
            if (!is_float($ns) || abs($ns * 1000 - round($ns * 1000)) > 1e-6 || $ns < 0 || $ns > 1e6) {
                echo "$kind, $who: ", var_export($ns, true), "\n";
            }
        }
        echo array_sum($cost) > 0 ? '' : "$kind costs nothing\n";
    }
}
?>
--EXPECT--
0: wt, measured the same
{"user":["callee","caller","callee_cpu","caller_cpu"],"internal":["callee","caller","callee_cpu","caller_cpu"]}
1: wt, measured the same
{"user":["callee","caller","callee_cpu","caller_cpu"],"internal":["callee","caller","callee_cpu","caller_cpu"]}
2: wt cpu, measured the same
{"user":["callee","caller","callee_cpu","caller_cpu"],"internal":["callee","caller","callee_cpu","caller_cpu"]}
6: wt cpu, measured the same
{"user":["callee","caller","callee_cpu","caller_cpu"],"internal":["callee","caller","callee_cpu","caller_cpu"]}
