--TEST--
xhprof.max_nodes: calls past it fold into (truncated), are counted by function, and the sums stay exact
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

for ($i = 0; $i < 100; $i++) {
    eval("function f$i() { leaf(); leaf(); }");
}

function leaf(): void { static $n; $n++; }
function recursive(int $n): int { return $n > 0 ? recursive($n - 1) : 0; }

function gen(): Generator
{
    leaf();
    yield 1;
    leaf();
}

function task(): void
{
    leaf();
    Fiber::suspend();
    leaf();
}

function throws(): void { throw new RuntimeException(); }

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);
foreach ([16, 50, 1000] as $max) {
    ini_set('xhprof.max_nodes', (string) $max);
    xhprof_enable(XHPROF_FLAGS_MEMORY);
    for ($round = 0; $round < 2; $round++) {
        for ($i = 0; $i < 100; $i++) {
            "f$i"();
        }
    }
    recursive(99);
    $edges = xhprof_disable();
    $tree = xhprof_call_tree();
    $truncated = array_sum(array_column(array_filter($edges, fn ($key) => str_starts_with($key, '(truncated)==>'), ARRAY_FILTER_USE_KEY), 'ct'));
    $all = array_sum(array_column($edges, 'ct'));
    $meta = xhprof_test_run_part($folder, xhprof_save() . '.xhprof', 'meta');
    printf("%d: %d calls in all, %s, %s, ", $max, $all, $truncated > 0 ? 'some truncated' : 'none truncated',
        $meta['nodes_dropped'] === $truncated ? 'all counted' : "nodes_dropped={$meta['nodes_dropped']}, in (truncated) $truncated");
    // A (truncated) node may hang on each of the others, and in one is each function that was folded.
    xhprof_test_between('nodes', count($tree['fn']), 2, 2 * $max + count($tree['names']));
    xhprof_test_check_invariants($edges, $tree, XHPROF_FLAGS_MEMORY);
}

// All that unwinds, past the limit.
ini_set('xhprof.max_nodes', '16');
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
for ($i = 0; $i < 20; $i++) {
    "f$i"();
}
foreach (gen() as $x) {
    leaf();
}
$f = new Fiber('task');
$f->start();
leaf();
$f->resume();
try {
    throws();
} catch (RuntimeException) {
    leaf();
}
array_map('leaf', range(1, 5));
$g = gen();
$g->current();
unset($g);
$edges = xhprof_disable();
$all = array_sum(array_column($edges, 'ct'));
$ct = array_sum(xhprof_call_tree()['ct']);
echo "$ct calls\n";
xhprof_test_check_invariants($edges, xhprof_call_tree());

// The next session is whole again.
ini_set('xhprof.max_nodes', '1000000');
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
for ($i = 0; $i < 100; $i++) {
    "f$i"();
}
$edges = xhprof_disable();
echo count($edges), " edges\n";
?>
--EXPECT--
16: 702 calls in all, some truncated, all counted, nodes: ok
invariants: ok
50: 702 calls in all, some truncated, all counted, nodes: ok
invariants: ok
1000: 702 calls in all, none truncated, all counted, nodes: ok
invariants: ok
78 calls
invariants: ok
201 edges
