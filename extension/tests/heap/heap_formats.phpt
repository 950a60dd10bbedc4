--TEST--
Heap snapshot: reli's shape and that of DevTools tell what the JSON lines do
--SKIPIF--
<?php
require __DIR__ . '/../heap.inc';
xhprof_test_heap_skip();
?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../heap.inc';

class Sample
{
    public ?Sample $next = null;
    public function __construct(public string $name)
    {
    }
}
$list = [];
for ($i = 0; $i < 321; $i++) {
    $list[] = new Sample("sample $i");
    $list[$i]->next = $list[$i - 1] ?? null;
}
$deep = null;
for ($i = 0; $i < 5000; $i++) {
    $deep = [$deep];
}
$folder = xhprof_test_folder();
$lines = xhprof_heap_snapshot("$folder/lines");
$reli = xhprof_heap_snapshot("$folder/reli", ['format' => 'reli']);
$devtools = xhprof_heap_snapshot("$folder/devtools", ['format' => 'heapsnapshot']);
foreach ([$reli, $devtools] as $summary) {
    echo $summary['classes']['Sample'] === $lines['classes']['Sample'] && abs($summary['nodes'] - $lines['nodes']) < 1000 ? "the same\n" : json_encode($summary['classes']['Sample']) . "\n";
}
unset($deep, $list);
$document = json_decode(file_get_contents("$folder/reli"), true, 512, JSON_THROW_ON_ERROR);
echo implode(' ', array_keys($document)), "\n", implode(' ', array_keys($document['context'])), "\n";
echo $document['class_objects_summary']['Sample']['count'], ' ', $document['location_types_summary']['ZendObjectMemoryLocation']['count'] >= 321 ? 'objects' : json_encode($document['location_types_summary']), "\n";
unset($document);

$document = json_decode(file_get_contents("$folder/devtools"), true, 512, JSON_THROW_ON_ERROR);
['meta' => $meta, 'node_count' => $nodes, 'edge_count' => $edges] = $document['snapshot'];
$fields = count($meta['node_fields']);
$edgeFields = count($meta['edge_fields']);
echo count($document['nodes']) === $nodes * $fields && count($document['edges']) === $edges * $edgeFields ? "as long as told\n" : "other lengths\n";
$at = array_flip($meta['node_fields']);
$edgeAt = array_flip($meta['edge_fields']);
$sizes = $counted = $bad = $samples = 0;
for ($i = 0; $i < $nodes; $i++) {
    $node = array_slice($document['nodes'], $i * $fields, $fields);
    $sizes += $node[$at['self_size']];
    $counted += $node[$at['edge_count']];
    $samples += $document['strings'][$node[$at['name']]] === 'Sample' && $meta['node_types'][0][$node[$at['type']]] === 'object';
}
for ($i = 0; $i < $edges; $i++) {
    $edge = array_slice($document['edges'], $i * $edgeFields, $edgeFields);
    $bad += $edge[$edgeAt['to_node']] % $fields !== 0 || $edge[$edgeAt['to_node']] >= $nodes * $fields;
}
echo $counted === $edges && $bad === 0 ? "references\n" : "$counted $edges $bad\n";
echo $sizes === $devtools['usage'] ? "sizes are the heap's\n" : "$sizes {$devtools['usage']}\n";
echo $samples, "\n";
echo xhprof_test_list($folder) === ['devtools', 'lines', 'reli'] ? '' : "other files\n";
foreach (['reli', 'heapsnapshot'] as $format) {
    xhprof_heap_snapshot("$folder/redacted", ['format' => $format, 'redact' => true]);
    echo substr_count(file_get_contents("$folder/redacted"), 'sample 1'), ' ', decoct(fileperms("$folder/redacted") & 0777), "\n";
}
?>
--EXPECT--
the same
the same
summary location_types_summary class_objects_summary context
call_frames global_variables function_table class_table global_constants included_files interned_strings objects_store resources engine native_memory unreachable collector continued
321 objects
as long as told
references
sizes are the heap's
321
0 600
0 600
