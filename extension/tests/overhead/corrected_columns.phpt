--TEST--
Corrected columns: beside those of self, of every tree, in the saved run
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

echo "Corrected columns stand beside self's: as long, no value below 0, no more in all, with every set of flags:\n";

function leaf(int $n): int { return $n + 1; }

function calls(): void
{
    for ($i = 0; $i < 3000; $i++) {
        leaf($i);
        abs($i);
        $GLOBALS['x'] = strrev('text');
    }
}

function recursion(int $n): int { return $n < 2 ? $n : recursion($n - 1) + recursion($n - 2); }

calls();
for ($flags = 0; $flags < 8; $flags++) {
    xhprof_enable($flags);
    calls();
    recursion(15);
    eval('leaf(1);');
    $edges = xhprof_disable();
    $tree = xhprof_call_tree();
    xhprof_test_check_invariants($edges, $tree, $flags);
    echo $flags, ': ', implode(' ', array_keys($tree['corrected'])), "\n";
    foreach ($tree['corrected'] as $metric => $column) {
        $raw = $tree['self'][$metric];
        if (!array_is_list($column) || count($column) !== count($raw)) {
            echo "$metric: ", count($column), ' values, self has ', count($raw), "\n";
        }
        foreach ($column as $i => $value) {
            if (!is_int($value) || $value < 0 || $value > $raw[$i]) {
                echo "$metric of node $i: ", var_export($value, true), ", raw $raw[$i]\n";
            }
        }
        echo array_sum($column) <= array_sum($raw) ? '' : "$metric: more in all\n";
    }
}

echo "Corrected columns of trees with ignored functions, few nodes, and of a profile of nothing:\n";

function leaf_of_ignored(): int { static $n; return ++$n; }

function middle(): void
{
    for ($i = 0; $i < 100; $i++) {
        leaf_of_ignored();
    }
}

function check(): void
{
    $tree = xhprof_call_tree();
    $bad = 0;
    foreach ($tree['corrected']['wt'] as $i => $ns) {
        $bad += !is_int($ns) || $ns < 0 || $ns > $tree['self']['wt'][$i];
    }
    echo count($tree['corrected']['wt']) === count($tree['fn']) ? "$bad wrong" : 'not as many', "\n";
}

xhprof_enable(0, ['ignored_functions' => ['middle', 'strrev']]);
middle();
xhprof_disable();
check();
xhprof_enable();
xhprof_disable();
check();
ini_set('xhprof.max_nodes', '16');
for ($i = 0; $i < 50; $i++) {
    eval("function f$i() { leaf_of_ignored(); }");
}
xhprof_enable();
for ($i = 0; $i < 50; $i++) {
    "f$i"();
}
xhprof_disable();
check();

echo "The saved run has the measured columns of the tree, and in its metadata the overhead from which readers find the corrected ones:\n";

function saved_leaf(): int { return mt_getrandmax(); }

function saved_calls(): void
{
    for ($i = 0; $i < 1000; $i++) {
        saved_leaf();
    }
}

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);
foreach ([0, XHPROF_FLAGS_NO_BUILTINS, XHPROF_FLAGS_CPU, XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY] as $flags) {
    xhprof_enable($flags);
    saved_calls();
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
Corrected columns stand beside self's: as long, no value below 0, no more in all, with every set of flags:
invariants: ok
0: wt
invariants: ok
1: wt
invariants: ok
2: wt cpu
invariants: ok
3: wt cpu
invariants: ok
4: wt
invariants: ok
5: wt
invariants: ok
6: wt cpu
invariants: ok
7: wt cpu
Corrected columns of trees with ignored functions, few nodes, and of a profile of nothing:
0 wrong
0 wrong
0 wrong
The saved run has the measured columns of the tree, and in its metadata the overhead from which readers find the corrected ones:
0: wt, measured the same
{"user":["callee","caller","callee_cpu","caller_cpu"],"internal":["callee","caller","callee_cpu","caller_cpu"]}
1: wt, measured the same
{"user":["callee","caller","callee_cpu","caller_cpu"],"internal":["callee","caller","callee_cpu","caller_cpu"]}
2: wt cpu, measured the same
{"user":["callee","caller","callee_cpu","caller_cpu"],"internal":["callee","caller","callee_cpu","caller_cpu"]}
6: wt cpu, measured the same
{"user":["callee","caller","callee_cpu","caller_cpu"],"internal":["callee","caller","callee_cpu","caller_cpu"]}
