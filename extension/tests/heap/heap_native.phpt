--TEST--
Heap snapshot: memory of extensions' own, with its owners
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../heap.inc';

/** All native nodes that are reached from a node through native ones and the engine's structures. */
function natives(array $heap, array $from): array
{
    $found = [];
    for ($queue = [$from]; $node = array_pop($queue);) {
        foreach ($node['e'] ?? [] as $edge) {
            $to = $heap['nodes'][$edge[1] ?? 0] ?? ['t' => ''];
            if (in_array($to['t'], ['native', 'engine', 'resource'], true) && !isset($found[$to['a']])) {
                $found[$to['a']] = $to;
                $queue[] = $to;
            }
        }
    }
    return array_filter($found, static fn (array $node): bool => $node['t'] === 'native');
}
function owners(array $nodes): string
{
    $owners = array_unique(array_column($nodes, 'c'));
    sort($owners);
    return implode(' ', $owners);
}
/** Native blocks that no native node, and not the root, refers to. */
function orphans(array $heap): int
{
    $orphans = array_filter($heap['nodes'], static fn (array $node): bool => $node['t'] === 'native' && ($node['b'] ?? 0) > 0);
    foreach ($heap['nodes'] as $node) {
        if ($node['t'] === 'native' || ($node['c'] ?? '') === 'native_memory') {
            foreach ($node['e'] ?? [] as $edge) {
                unset($orphans[$edge[1]]);
            }
        }
    }
    return count($orphans);
}

$date = new DateTime('2020-02-03 04:05:06', new DateTimeZone('Europe/Berlin'));
$period = new DatePeriod($date, new DateInterval('P1D'), 3);
$stream = fopen('php://memory', 'w+');
fwrite($stream, str_repeat('in the stream ', 10000));

foreach ([true, false] as $handlers) {
    unset($heap, $of_date, $of_stream, $internals, $node, $edge);
    $heap = xhprof_test_heap(['handlers' => $handlers]);
    xhprof_test_heap_check($heap);
    $of_date = natives($heap, xhprof_test_heap_global($heap, 'date'));
    echo 'DateTime: ', str_contains(owners($of_date), 'DateTime') ? 'its own' : owners($of_date), "\n";
    xhprof_test_between('bytes', array_sum(array_column($of_date, 'b')), 200, 4000);
    // What its C structure holds: a time, with the name of the zone.
    $internals = xhprof_test_heap_global($heap, 'date', 'internals');
    echo ($internals['b'] ?? null) === 0 ? 'part of the object' : 'a block', ' ', count($internals['e']) > 0 ? 'refers on' : 'refers to nothing', "\n";
    foreach ($of_date as $node) {
        foreach ($node['e'] ?? [] as $edge) {
            preg_match('/^\+\d+$/', $edge[0]) && $edge[2] === 'p' || print("a reference: " . json_encode($edge) . "\n");
        }
    }
    echo 'DatePeriod: ', owners(natives($heap, xhprof_test_heap_global($heap, 'period'))), "\n";
    $of_stream = natives($heap, xhprof_test_heap_global($heap, 'stream'));
    echo 'stream: ', owners($of_stream), "\n";
    xhprof_test_between('bytes', array_sum(array_column($of_stream, 'b')), 140_000, 300_000);
    echo orphans($heap), " orphans\n";
    $summed = $heap['summary']['owners'];
    xhprof_test_between('summed', $summed['DateTime']['bytes'] + $summed['stream']['bytes'], 140_000, 300_000);
}

echo "-- not looked for\n";
unset($heap, $of_date, $of_stream, $internals, $node, $edge);
$heap = xhprof_test_heap(['native' => false]);
xhprof_test_heap_check($heap);
echo $heap['summary']['native']['bytes'], " bytes native\n";
xhprof_test_between('unreachable', $heap['summary']['unreachable']['bytes'], 140_000, 400_000);
?>
--EXPECT--
sound
DateTime: its own
bytes: ok
part of the object refers on
DatePeriod: DatePeriod
stream: stream
bytes: ok
0 orphans
summed: ok
sound
DateTime: its own
bytes: ok
part of the object refers on
DatePeriod: DatePeriod
stream: stream
bytes: ok
0 orphans
summed: ok
-- not looked for
sound
0 bytes native
unreachable: ok
