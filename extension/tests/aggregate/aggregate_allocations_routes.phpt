--TEST--
xhprof.mode=aggregate with xhprof.alloc_sample_bytes: what each route allocates and holds at the peak, and the requests that are kept
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', "PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate_allocations.inc';

$code = PIECES . <<<'PHP'
    function wait(int $ms): void { for ($end = hrtime(true) + $ms * 1_000_000; hrtime(true) < $end;) { } } // allocates nothing
    function holds(): void { $all = pieces(8); wait(20); }
    function garbage(): void { for ($i = 0; $i < 8; $i++) { pieces(1); } wait(20); }
    function nothing(): void { wait(20); }
    foreach (['holds', 'garbage', 'nothing', 'holds'] as $job) {
        xhprof_begin_span($job);
        $job();
        xhprof_end_span();
    }
    PHP;
// The helper compares each route's sums with the tree's, and its requests.
$result = xhprof_test_aggregate($code, ['start_with_request' => 'no', 'alloc_sample_bytes' => 4096]);
echo $result['out'], $result['err'];
xhprof_test_show_requests(xhprof_test_routes($result['runs'], $result['folder']));
$sums = $kept = [];
foreach ($result['runs'] as $run) {
    $names = xhprof_test_run_part($result['folder'], "$run[id].$run[source]", 'tree')['names'];
    foreach ($run['aggregate']['routes'] as $name => $route) {
        foreach ($route['allocations'] ?? [] as $figure => $value) {
            $sums[$name][$figure] = ($sums[$name][$figure] ?? 0) + $value;
        }
    }
    foreach (xhprof_test_run_exemplars($result['folder'], "$run[id].$run[source]") as $one) {
        foreach (['allocated_bytes', 'allocated_blocks', 'peak_bytes'] as $metric) {
            if (count($one['self'][$metric] ?? []) !== count($one['fn'])) {
                echo 'wrong: ', json_encode($one), "\n";
            }
            $kept[$one['route']][$one['kind']][$metric] = array_sum($one['self'][$metric] ?? []);
        }
        $paths = array_combine(array_map(static fn (int $fn): string => $names[$fn], $one['fn']), $one['self']['allocated_bytes']);
        $kept[$one['route']][$one['kind']]['in'] = array_search(max($paths), $paths, true);
    }
}
ksort($sums);
foreach ($sums as $name => $sum) {
    echo "$name: $sum[requests]\n";
}
near('holds, allocated', $sums['holds']['allocated_bytes'], 16);
near('holds, held', $sums['holds']['peak_bytes'], 16);
near('garbage, allocated', $sums['garbage']['allocated_bytes'], 8);
xhprof_test_between('MB of garbage, held', $sums['garbage']['peak_bytes'] / (1 << 20), 0, 2.5);
xhprof_test_between('MB of nothing', ($sums['nothing']['allocated_bytes'] ?? 0) / (1 << 20), 0, 0.5);
foreach (['slowest', 'random'] as $kind) {
    near("holds, $kind", $kept['holds'][$kind]['allocated_bytes'], 8);
    near("holds, $kind, held", $kept['holds'][$kind]['peak_bytes'], 8);
    xhprof_test_between('blocks', $kept['holds'][$kind]['allocated_blocks'], 8 * 1024 * 0.7, 8 * 1024 * 1.3);
    echo $kept['holds'][$kind]['in'], "\n";
    near("garbage, $kind", $kept['garbage'][$kind]['allocated_bytes'], 8);
    xhprof_test_between("MB of garbage, $kind, held", $kept['garbage'][$kind]['peak_bytes'] / (1 << 20), 0, 2.5);
}

// Without the setting there are none.
$result = xhprof_test_aggregate($code, ['start_with_request' => 'no']);
echo $result['out'], $result['err'];
xhprof_test_show_requests(xhprof_test_routes($result['runs'], $result['folder']));
foreach ($result['runs'] as $run) {
    $exemplars = xhprof_test_run_part($result['folder'], "$run[id].$run[source]", 'exemplars');
    echo isset($exemplars['self']) || str_contains((string) json_encode($run['aggregate']), 'allocat') ? "wrong\n" : '';
}
?>
--EXPECT--
garbage: 1
holds: 2
nothing: 1
garbage: 1
holds: 2
nothing: 1
MB of holds, allocated: ok
MB of holds, held: ok
MB of garbage, allocated: ok
MB of garbage, held: ok
MB of nothing: ok
MB of holds, slowest: ok
MB of holds, slowest, held: ok
blocks: ok
str_repeat
MB of garbage, slowest: ok
MB of garbage, slowest, held: ok
MB of holds, random: ok
MB of holds, random, held: ok
blocks: ok
str_repeat
MB of garbage, random: ok
MB of garbage, random, held: ok
garbage: 1
holds: 2
nothing: 1
