--TEST--
Heap snapshot while allocations are tracked: which call path allocated what is alive
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap", 'sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

class Item
{
    public array $more;
    public function __construct(public string $name) { $this->more = [str_repeat('m', 100)]; }
}
function factory(int $n): Item { return new Item("name $n"); }
function caller(int $n): array
{
    $items = [];
    for ($i = 0; $i < $n; $i++) {
        $items[] = factory($i);
    }
    return $items;
}
/** Paths of the nodes of a class: "a;b;c" => how many. */
function paths(array $heap, string $class): array
{
    $found = [];
    foreach ($heap['nodes'] as $node) {
        if ($node['t'] === 'object' && $node['c'] === $class) {
            $names = [];
            for ($path = $node['p'] ?? 0; $path; $path = $heap['paths'][$path]['parent'] ?? 0) {
                array_unshift($names, $heap['paths'][$path]['fn']);
            }
            $names = implode(';', $names);
            $found[$names] = ($found[$names] ?? 0) + 1;
        }
    }
    ksort($found);
    return $found;
}
$before = factory(1);
$nothing = xhprof_test_heap();
echo 'untracked: ', json_encode(paths($nothing, 'Item')), count($nothing['paths']), "\n";
unset($nothing);
$modes = [
    'profile' => [static fn () => xhprof_enable(XHPROF_FLAGS_ALLOC), xhprof_disable(...)],
    'memprof' => [memprof_enable(...), memprof_disable(...)],
];
foreach ($modes as $label => [$start, $stop]) {
    $start();
    $kept = caller(50);
    $freed = caller(7);
    unset($freed);
    $usage = memory_get_usage();
    $heap = xhprof_test_heap();
    $result = $stop();
    echo "$label: ", json_encode(paths($heap, 'Item'), JSON_UNESCAPED_SLASHES), "\n";
    xhprof_test_heap_check($heap);
    foreach ($heap['paths'] as $path => $told) {
        isset($told['parent']) && ($told['parent'] >= $path || !isset($heap['paths'][$told['parent']])) && $told['parent'] !== 0 && print("path $path comes from {$told['parent']}\n");
    }
    // Other kinds have paths too.
    $types = [];
    foreach ($heap['nodes'] as $node) {
        isset($node['p']) && $types[$node['t']] = true;
    }
    echo isset($types['string'], $types['array'], $types['array table'], $types['object']) ? "all kinds\n" : implode(' ', array_keys($types)) . "\n";
    unset($heap, $kept);
    $after = xhprof_test_heap();
    echo 'after it: ', json_encode(paths($after, 'Item')), "\n";
    unset($after);
}
// Sampled blocks only.
ini_set('xhprof.alloc_sample_bytes', '200');
memprof_enable();
$kept = caller(2000);
$heap = xhprof_test_heap();
memprof_disable();
$paths = paths($heap, 'Item');
$known = $paths['main();caller;factory'] ?? 0;
echo $known > 50 && $known < 1900 && array_sum($paths) === 2001 ? "some\n" : json_encode($paths) . "\n";
// Samples and profiles do not mind.
unset($heap);
foreach ([[static fn () => xhprof_enable(XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY), xhprof_disable(...)], [static fn () => xhprof_sample_enable(['interval' => 1000]), xhprof_sample_disable(...)]] as [$start, $stop]) {
    $start();
    $summary = xhprof_heap_snapshot('/dev/null');
    $profile = $stop();
    echo $summary['unreadable'] === 0 && is_array($profile) ? "with a profile\n" : json_encode($summary) . "\n";
    isset($profile['main()==>xhprof_heap_snapshot']) && print("a call of it\n");
}
?>
--EXPECT--
untracked: {"":1}0
profile: {"":1,"main();caller;factory":50}
sound
all kinds
after it: {"":1}
memprof: {"":1,"main();caller;factory":50}
sound
all kinds
after it: {"":1}
some
with a profile
a call of it
with a profile
