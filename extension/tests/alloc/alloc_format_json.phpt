--TEST--
xhprof_alloc_dump(): the shape, sums, types, marks, the threshold and what no function has
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../alloc.inc';
require __DIR__ . '/../alloc_formats.inc';

$before = str_repeat('b', 200_000);
xhprof_enable(XHPROF_FLAGS_ALLOC);
keep();
xhprof_disable();

$dump = json_decode(xhprof_test_dump(), true, 16, JSON_THROW_ON_ERROR);
['tree' => $tree, 'rows' => $rows] = $dump;
echo implode(' ', array_keys($dump)), "\n", implode(' ', array_keys($tree)), "\n", implode(' ', array_keys($rows)), "\n";
$lengths = [$tree['n'], count($tree['fn']), count($tree['depth']), count($tree['ct'])];
var_dump(count(array_unique(array_map('count', $rows))) === 1, count(array_unique($lengths)) === 1, $dump['pid'] === getmypid());
echo 'all of the heap is somebody\'s: ', json_encode(array_sum($rows['bytes']) === $dump['allocators']['zend_mm']['size']), "\n";

// Every node holds something, or calls what does.
$holds = array_flip($rows['node']);
$needed = 0;
for ($node = $tree['n'] - 1; $node >= 0; $node--) {
    $calls = ($tree['depth'][$node + 1] ?? 0) > $tree['depth'][$node];
    $needed += (int) ($calls || isset($holds[$node]));
}
var_dump($needed === $tree['n']);
$held = xhprof_test_held(xhprof_test_dump());
var_dump($held['(before)']['types']['(unknown)']['bytes'] > 200_000, $held['(before)']['types']['(unknown)']['blocks']);
foreach ($held['main();keep;Kept::fill;range']['types'] as $type => ['bytes' => $bytes, 'blocks' => $blocks]) {
    echo "$type: ", $bytes >= 32_000 ? 'enough bytes' : $bytes, " in $blocks, {$held['main();keep;Kept::fill']['calls']} call\n";
}
$plain = xhprof_test_dump(['types' => false]);
$types = array_map(static fn (array $of): array => array_keys($of['types']), array_values(xhprof_test_held($plain)));
echo implode(' ', array_unique(array_merge(...$types))), "\n";

echo "-- threshold\n";
$few = xhprof_test_live(xhprof_test_dump(['types' => false, 'threshold' => 7000]));
$all = xhprof_test_live($plain);
$rest = $few['(below threshold)'];
var_dump($rest[0] > 18000, array_sum(array_column($few, 0)) === array_sum(array_column($all, 0)));
var_dump(array_diff_key($few, $all) === ['(below threshold)' => $rest]);

echo "-- marks\n";
xhprof_enable(XHPROF_FLAGS_ALLOC);
$one = text(3000);
xhprof_alloc_mark();
$two = text(3001);
xhprof_disable();
$dump = json_decode(xhprof_test_dump(), true);
$of = array_filter($dump['rows']['bytes'], static fn (int $bytes): bool => $bytes === 3072);
$marks = array_intersect_key($dump['rows']['mark'], $of);
sort($marks);
echo "$dump[marks]: ", implode(' ', $marks), "\n";
var_dump(xhprof_alloc_dump(fopen('php://memory', 'w')));
?>
--EXPECT--
v kind unit time pid sample_bytes marks allocators dropped types tree rows
v kind order n names fn depth ct
node type mark blocks bytes
bool(true)
bool(true)
bool(true)
all of the heap is somebody's: true
bool(true)
bool(true)
int(0)
array: enough bytes in 2, 1 call
(unknown)
-- threshold
bool(true)
bool(true)
bool(true)
-- marks
1: 0 1
bool(true)
