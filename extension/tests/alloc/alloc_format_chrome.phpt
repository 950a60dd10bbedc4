--TEST--
xhprof_alloc_dump() as chrome: a memory dump in a trace, light or detailed
--SKIPIF--
<?php
require __DIR__ . '/../lib.inc';
if (($why = xhprof_test_other_figures()) !== null) {
    die("skip $why");
}
?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../alloc.inc';
require __DIR__ . '/../alloc_formats.inc';

function dumps(array $options): array
{
    return json_decode(xhprof_test_dump($options, 'chrome'), true, 512, JSON_THROW_ON_ERROR)['traceEvents'][1]['args']['dumps'];
}

xhprof_enable(XHPROF_FLAGS_ALLOC);
keep();
xhprof_disable();

foreach (['light', 'detailed'] as $level) {
    $dumps = dumps(['level' => $level]);
    echo $dumps['level_of_detail'], ': ', implode(' ', array_keys($dumps)), "\n";
    foreach (array_diff_key($dumps['allocators'], ['opcache' => 1]) as $name => ['attrs' => ['size' => $size]]) {
        echo "  $name: $size[type] $size[units] ", json_encode(hexdec($size['value']) > 10_000), "\n";
    }
}
['maps' => $maps, 'allocators' => $heaps] = $dumps['heaps_v2'];
$bytes = array_sum($heaps['zend_mm']['sizes']);
echo 'all of the heap is somebody\'s: ', json_encode($bytes === hexdec($dumps['allocators']['zend_mm']['attrs']['size']['value'])), "\n";
foreach ($heaps as $name => $columns) {
    echo "$name: ", implode(' ', array_keys($columns)), ', equally long: ', json_encode(count(array_unique(array_map('count', $columns))) === 1), "\n";
}
foreach ($maps as $name => $entries) {
    $ids = array_column($entries, 'id');
    echo "$name: ", implode(' ', array_keys($entries[1] ?? $entries[0])), ', unique ids: ', json_encode($ids === array_unique($ids)), "\n";
}
$strings = array_column($maps['strings'], 'string', 'id');
$types = array_map(static fn (array $type): string => $strings[$type['name_sid']], $maps['types']);
sort($types);
echo implode(' ', array_intersect($types, ['array', 'string', 'object:Kept'])), "\n";
?>
--EXPECT--
light: level_of_detail allocators
  zend_mm: scalar bytes true
  malloc: scalar bytes true
  xhprof/register: scalar bytes true
detailed: level_of_detail allocators heaps_v2
  zend_mm: scalar bytes true
  malloc: scalar bytes true
  xhprof/register: scalar bytes true
all of the heap is somebody's: true
zend_mm: counts sizes types nodes, equally long: true
strings: id string, unique ids: true
nodes: id name_sid parent, unique ids: true
types: id name_sid, unique ids: true
array object:Kept string
