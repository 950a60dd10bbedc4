--TEST--
Every combination of flags gives its metrics, in the order ct, wt, cpu, mu, pmu, on every edge
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function inner(): string
{
    return str_repeat('x', random_int(1000, 2000));
}

function outer(): int
{
    return strlen(strrev(inner()));
}

for ($flags = 0; $flags < 8; $flags++) {
    xhprof_enable($flags);
    outer();
    outer();
    $edges = xhprof_disable();
    echo $flags, ' ', implode(',', array_keys($edges['main()'])), ' ', implode(',', array_keys(xhprof_call_tree()['self'])), "\n";
    xhprof_test_check_invariants($edges, xhprof_call_tree(), $flags);
}
?>
--EXPECT--
0 ct,wt wt
invariants: ok
1 ct,wt wt
invariants: ok
2 ct,wt,cpu wt,cpu
invariants: ok
3 ct,wt,cpu wt,cpu
invariants: ok
4 ct,wt,mu,pmu wt,mu,pmu
invariants: ok
5 ct,wt,mu,pmu wt,mu,pmu
invariants: ok
6 ct,wt,cpu,mu,pmu wt,cpu,mu,pmu
invariants: ok
7 ct,wt,cpu,mu,pmu wt,cpu,mu,pmu
invariants: ok
