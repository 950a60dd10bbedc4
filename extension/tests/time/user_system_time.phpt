--TEST--
With xhprof.cpu_clock=getrusage user and system time are the two parts of each function's CPU time, in arrays, trees and runs
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

function in_user(int $us): void
{
    for ($start = xhprof_test_cpu(); xhprof_test_cpu() - $start < $us;) {
        for ($x = 0.0, $i = 0; $i < 200_000; $i++) {
            $x += $i / 3;
        }
    }
}

function in_kernel(int $us): void
{
    for ($start = xhprof_test_cpu(); xhprof_test_cpu() - $start < $us;) {
        file_get_contents('/dev/zero', length: 16_000_000);
    }
}

function many(int $depth, int $number): void
{
    if ($depth > 0) {
        foreach (['a', 'b', 'c', 'd', 'e', 'f'] as $name) {
            ("many_$name")($depth - 1, $number);
        }
    }
}

foreach (['a', 'b', 'c', 'd', 'e', 'f'] as $name) {
    eval("function many_$name(int \$depth, int \$number): void { many(\$depth, \$number); }");
}

/** @param array<string, int> $edge */
function share(array $edge): float
{
    return $edge['st'] / $edge['cpu'];
}

if (isset($argv[1])) {
    $flags = XHPROF_FLAGS_CPU | (int) $argv[2];
    ini_set('xhprof.output_dir', $argv[1]);
    xhprof_enable($flags);
    in_user(150_000);
    in_kernel(150_000);
    many(4, 1);
    in_user(50_000);
    $edges = xhprof_disable();
    $tree = xhprof_call_tree();
    $nodes = (int) ini_get('xhprof.max_nodes');
    xhprof_test_check_invariants($edges, $nodes < 2_000 ? null : $tree, $flags);
    // How much it is is the kernel's word, by its ticks.
    $shares = array_map(share(...), [$edges['main()==>in_user'], $edges['main()==>in_kernel']]);
    echo $shares[0] < $shares[1] ? "the kernel has more where it works\n" : json_encode($shares) . "\n";
    $wrong = 0;
    foreach ($tree['self']['cpu'] as $i => $cpu) {
        [$user, $system] = [$tree['self']['ut'][$i], $tree['self']['st'][$i]];
        $wrong += (int) ($user < 0 || $system < 0 || $user + $system !== $cpu);
    }
    echo "nodes whose parts are not the whole: $wrong\n";
    $totals = xhprof_test_run_part($argv[1], xhprof_save() . '.xhprof', 'meta')['totals'];
    $sums = array_map(static fn (array $column): int => intdiv(array_sum($column), 1000),
        array_intersect_key($tree['self'], ['cpu' => 1, 'ut' => 1, 'st' => 1]));
    echo array_intersect_key($totals, $sums) === $sums ? "the run has the same totals\n" : json_encode([$totals, $sums]) . "\n";
    exit(0);
}
$alike = [];
foreach ([0, XHPROF_FLAGS_MEMORY | XHPROF_FLAGS_NO_BUILTINS, XHPROF_FLAGS_TIMELINE] as $flags) {
    foreach (['100000', '1000'] as $nodes) {
        $alike["flags $flags, $nodes nodes"] = [(string) $flags, $nodes];
    }
}
xhprof_test_alike(array_keys($alike), static fn (string $name) => xhprof_test_show(xhprof_test_child(__FILE__,
    [xhprof_test_folder(), $alike[$name][0]], ['xhprof.cpu_clock' => 'getrusage', 'xhprof.max_nodes' => $alike[$name][1]])));
// The other clocks do not have them.
xhprof_enable(XHPROF_FLAGS_CPU);
in_user(1_000);
$edges = xhprof_disable();
echo implode(' ', array_keys($edges['main()'])), ', ', implode(' ', array_keys(xhprof_call_tree()['self'])), "\n";
?>
--EXPECT--
-- flags 0, 100000 nodes
invariants: ok
the kernel has more where it works
nodes whose parts are not the whole: 0
the run has the same totals
-- flags 0, 1000 nodes: as flags 0, 100000 nodes
-- flags 5, 100000 nodes: as flags 0, 100000 nodes
-- flags 5, 1000 nodes: as flags 0, 100000 nodes
-- flags 16, 100000 nodes: as flags 0, 100000 nodes
-- flags 16, 1000 nodes: as flags 0, 100000 nodes
ct wt cpu, wt cpu
