--TEST--
Heap snapshot: cycles that wait for the collector are known by type, and garbage, until it has collected them
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--INI--
memory_limit=-1
--FILE--
<?php
require __DIR__ . '/../heap.inc';

/** @return list<array<mixed>> the nodes that "collector" refers to */
function waiting(): array
{
    $heap = xhprof_test_heap();
    $waiting = [];
    foreach ($heap['nodes'] as $node) {
        if ($node['t'] === 'root' && $node['c'] === 'collector') {
            foreach ($node['e'] ?? [] as $edge) {
                if (($edge[2] ?? '') === 'w') {
                    $waiting[] = $heap['nodes'][$edge[1]];
                }
            }
        }
    }
    return $waiting;
}
/** Blocks that only the process's memory is known to hold. A block that nothing refers to does not count. */
function unknown(): int
{
    $summary = xhprof_heap_snapshot('/dev/null', ['format' => 'summary']);
    echo $summary['unreachable']['blocks'], " candidates\n";
    return $summary['owners']['(process memory)']['count'] ?? 0;
}
function cycles(int $count): void
{
    for ($i = 0; $i < $count; $i++) {
        $own = [];
        $own[0] = &$own;
        unset($own);
    }
}
class Ring
{
    public ?Ring $next = null;
}

gc_collect_cycles();
$known = ['runs' => 0, 'collected' => 0, 'threshold' => 0, 'roots' => 0];
$status = array_intersect_key(gc_status(), $known);
$few = unknown();
cycles(100);
$ring = new Ring();
$ring->next = new Ring();
$ring->next->next = $ring;
unset($ring);
$before = array_intersect_key(gc_status(), $known);
$types = array_count_values(array_map(static fn (array $node): string => "$node[t] " . ($node['c'] ?? ''), waiting()));
ksort($types);
echo json_encode($types), ' of ', $before['roots'], "\n";
$before = array_intersect_key(gc_status(), $known);
$unknown = unknown() - $few;
$after = array_intersect_key(gc_status(), $known);
xhprof_test_between('unknown', $unknown, -9, 9);
echo json_encode($before === $after ?: array_diff_assoc($after, $before)), "\n";
echo gc_collect_cycles() >= 100 ? "collected\n" : "not collected\n";
echo count(waiting()), " wait\n";

// The buffer grows; the numbers of the last ones do not fit a header.
gc_disable();
cycles(540_000);
echo gc_status()['roots'], "\n";
xhprof_test_between('unknown', unknown() - $few, -9, 9);
echo gc_collect_cycles() >= 540_000 ? "collected\n" : "not collected\n";
?>
--EXPECT--
0 candidates
{"array ":100,"object Ring":1} of 101
0 candidates
unknown: ok
true
collected
0 wait
540000
0 candidates
unknown: ok
collected
