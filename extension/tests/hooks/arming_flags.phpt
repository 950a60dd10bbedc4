--TEST--
Profiles with different flags in one request: each has its functions and its metrics, whichever way hooks are armed
--FILE--
<?php
require __DIR__ . '/../lib.inc';

isset($argv[1]) || exit(xhprof_test_every_way(__FILE__));

function leaf(): int { return mt_getrandmax(); }

function work(): void
{
    leaf();
    array_map('leaf', [1, 2]);
    array_map('strrev', ['a', 'b']);
}

work();
$order = [
    0, XHPROF_FLAGS_NO_BUILTINS, XHPROF_FLAGS_MEMORY, XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY, 0,
    XHPROF_FLAGS_NO_BUILTINS | XHPROF_FLAGS_CPU, XHPROF_FLAGS_NO_BUILTINS, 0, XHPROF_FLAGS_CPU,
];
xhprof_test_alike($order, static function (int $flags): string {
    xhprof_enable($flags);
    work();
    $edges = xhprof_disable();
    work();
    xhprof_test_edges($edges, ['==>xhprof_disable']);
    xhprof_test_check_invariants($edges, xhprof_call_tree(), $flags);
    return "$flags: " . implode(' ', array_keys($edges['main()']));
});
?>
--EXPECT--
-- 0: ct wt
array_map==>leaf: ct=2
array_map==>strrev: ct=2
leaf==>mt_getrandmax: ct=3
main(): ct=1
main()==>work: ct=1
work==>array_map: ct=2
work==>leaf: ct=1
invariants: ok
-- 1: ct wt
main(): ct=1
main()==>work: ct=1
work==>leaf: ct=3
invariants: ok
-- 4: ct wt mu pmu: as 0: ct wt
-- 6: ct wt cpu mu pmu: as 0: ct wt
-- 0: ct wt: as 0: ct wt
-- 3: ct wt cpu: as 1: ct wt
-- 1: ct wt: as 1: ct wt
-- 0: ct wt: as 0: ct wt
-- 2: ct wt cpu: as 0: ct wt
the same every way
