--TEST--
Heap snapshot: planted leaks are the candidates, tracked or not; objects that nobody holds are none
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
if (isset($argv[1])) {
    [, $file, $how, $count, $size, $objects] = $argv;
    /** Arrays that hold themselves, and that nothing else holds. Each: a reference, an array, its table, and what it holds. */
    function leak(int $count, int $size, ?array &$kept = null): void
    {
        for ($i = 0; $i < $count; $i++) {
            $own = $size ? [str_repeat('x', $size), $i] : [];
            $own['own'] = &$own;
            $kept === null || $kept[] = &$own;
            unset($own);
        }
    }
    /** Calls that leave other values where those of the leaks were. */
    function covered(int $depth): int
    {
        return $depth ? covered($depth - 1) + strlen(str_repeat('c', $depth)) : 0;
    }
    function deeply(int $depth, int $count, int $size): void
    {
        $depth ? deeply($depth - 1, $count, $size) : leak($count, $size);
    }
    $how === 'tracked' && memprof_enable();
    // Fills what was in use before, where old addresses stay: the leaks are in other memory.
    $kept = [];
    leak(1000, 8, $kept);
    covered(200);
    $before = memory_get_usage();
    deeply(100, (int) $count, (int) $size);
    $grown = memory_get_usage() - $before;
    for ($i = 0; $i < (int) $objects; $i++) {
        $object = new stdClass();
        $object->self = $object;
        unset($object);
    }
    covered(300);
    $summary = xhprof_heap_snapshot($file);
    echo json_encode(['grown' => $grown] + $summary['unreachable'] + ['objects' => $summary['classes']['stdClass']['count'] ?? 0]);
    exit;
}
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../heap.inc';

/** Whether the heap is above a multiple of 4 GB: a small number over the lower half of an old address makes one of its addresses. */
function looked_alike(array $heap): bool
{
    $addresses = array_keys(array_filter($heap['nodes'], static fn (array $node): bool => ($node['b'] ?? 0) > 0));
    return min($addresses) >> 32 !== max($addresses) >> 32 || (min($addresses) & 0xffffffff) < 1 << 26;
}
$file = xhprof_test_folder() . '/leaks';
$plants = [
    ['untracked', 0, 0, 0],
    ['untracked', 400, 0, 0],
    ['untracked', 400, 5000, 0],
    ['untracked', 60, 2_100_000, 0],
    // The register lists their addresses, and keeps nothing alive.
    ['tracked', 60, 2_100_000, 0],
    ['tracked', 400, 0, 0],
    ['untracked', 0, 0, 20],
];
xhprof_test_alike($plants, static function (array $plant) use ($file): string {
    [$how, $count, $size, $objects] = $plant;
    for ($try = 0; $try < 20; $try++) {
        $child = xhprof_test_child(__FILE__, [$file, $how, $count, $size, $objects], ['zend.enable_gc' => 0]);
        $told = json_decode($child['out'], true) ?? xhprof_test_show($child);
        $heap = xhprof_test_heap_read($file);
        if (!looked_alike($heap)) {
            break;
        }
    }
    xhprof_test_heap_check($heap);
    $candidates = array_filter($heap['nodes'], static fn (array $node): bool => $node['t'] === 'unreachable');
    $names = [];
    foreach ($candidates as $node) {
        $names[$node['c'] ?? '-'] = true;
    }
    ksort($names);
    $root = xhprof_test_heap_root($heap, 'unreachable');
    $weak = array_filter($root['e'] ?? [], static fn (array $edge): bool => ($edge[2] ?? '') === 'w' && isset($candidates[$edge[1]]));
    echo 'leaks: ', isset($names['array?']) ? 'arrays' : implode(' ', array_keys($names)), count($weak) === count($candidates) ? '' : ', not all are listed', "\n";
    echo $told['objects'] === $objects ? '' : "{$told['objects']} objects\n";
    // What looks like an address of one of them, wherever it is, may hide a few.
    $blocks = $count * ($size ? 4 : 3);
    xhprof_test_between('blocks', $told['blocks'], (int) ($blocks * 0.9), $blocks);
    xhprof_test_between('bytes', $told['bytes'], (int) ($told['grown'] * ($count ? 0.9 : 0)), $told['grown']);
    // They hold one another: an array its table, the table the reference, the reference the array.
    $held = [];
    foreach ($candidates as $node) {
        foreach ($node['e'] ?? [] as $edge) {
            isset($candidates[$edge[1]]) && $held[$edge[1]] = true;
        }
    }
    echo count($held) >= count($candidates) * 0.9 ? "held by one another\n" : count($held) . ' of ' . count($candidates) . " are held\n";

    return "$count $how of $size";
});
?>
--EXPECT--
-- 0 untracked of 0
sound
leaks: 
blocks: ok
bytes: ok
held by one another
-- 400 untracked of 0
sound
leaks: arrays
blocks: ok
bytes: ok
held by one another
-- 400 untracked of 5000: as 400 untracked of 0
-- 60 untracked of 2100000: as 400 untracked of 0
-- 60 tracked of 2100000: as 400 untracked of 0
-- 400 tracked of 0: as 400 untracked of 0
-- 0 untracked of 0: as 0 untracked of 0
