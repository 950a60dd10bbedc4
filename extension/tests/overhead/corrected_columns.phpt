--TEST--
Corrected columns stand beside self's: as long, no value below 0, no more in all, with every set of flags
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(int $n): int
{
    return $n + 1;
}

function calls(): void
{
    for ($i = 0; $i < 3000; $i++) {
        leaf($i);
        abs($i);
        $GLOBALS['x'] = strrev('text');
    }
}

function recursion(int $n): int
{
    return $n < 2 ? $n : recursion($n - 1) + recursion($n - 2);
}

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
?>
--EXPECT--
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
