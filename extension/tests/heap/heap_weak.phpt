--TEST--
Heap snapshot: weak references and weak maps do not keep alive
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

class Target
{
    public string $name = '';
}
class Value
{
}
$kept = new Target();
$kept->name = str_repeat('k', 3);
$weak = WeakReference::create($kept);
$gone = WeakReference::create(new Target());
$map = new WeakMap();
$map[$kept] = new Value();
$inner = new Target();
$holder = [$inner];
$map[$inner] = [new Value(), 'key' => $inner];
unset($inner);
$other = new WeakMap();
$other[$kept] = str_repeat('o', 3);
$empty = new WeakMap();

/** Whether a node is reached from the roots by references that keep alive. */
function kept(array $heap, int $address): bool
{
    $todo = [];
    foreach ($heap['nodes'] as $node) {
        if ($node['t'] === 'root' && !in_array($node['c'], ['objects_store', 'unreachable', 'native_memory'], true)) {
            $todo[] = $node['a'];
        }
    }
    $seen = array_fill_keys($todo, true);
    while ($todo) {
        foreach ($heap['nodes'][array_pop($todo)]['e'] ?? [] as $edge) {
            if ($edge[1] !== null && ($edge[2] ?? '') !== 'w' && !isset($seen[$edge[1]])) {
                $seen[$edge[1]] = true;
                $todo[] = $edge[1];
            }
        }
    }
    return isset($seen[$address]);
}
$heap = xhprof_test_heap();
xhprof_test_heap_check($heap);
$show = static function (string $variable, string|int ...$names) use ($heap): void {
    echo implode('.', [$variable, ...$names]), ': ', xhprof_test_heap_text(xhprof_test_heap_global($heap, $variable, ...$names)), "\n";
};
foreach (['Target', 'Value', 'WeakMap', 'WeakReference'] as $class) {
    echo $class, ' ', $heap['footer']['summary']['classes'][$class]['count'] ?? 0, "\n";
}
$show('weak');
$show('gone');
$show('map');
$show('other');
$show('empty');
$show('kept');
echo kept($heap, xhprof_test_heap_global($heap, 'kept')['a']) ? "kept\n" : "not kept\n";
unset($kept, $heap, $show);
$weak->get() === null && print("gone\n");
$heap = xhprof_test_heap();
xhprof_test_heap_check($heap);
foreach (['Target', 'Value'] as $class) {
    echo $class, ' ', $heap['footer']['summary']['classes'][$class]['count'] ?? 0, "\n";
}
// Held by a weak map alone: by its own value. The collector takes it only where it can.
unset($holder, $heap);
$heap = xhprof_test_heap();
xhprof_test_heap_check($heap);
foreach ($heap['nodes'] as $node) {
    ($node['c'] ?? '') === 'Target' && $node['t'] === 'object' && print(kept($heap, $node['a']) ? "kept by its own value\n" : "not kept\n");
}
?>
--EXPECT--
sound
Target 2
Value 2
WeakMap 3
WeakReference 2
weak: object WeakReference r=1 {referent/w}
gone: object WeakReference r=1
map: object WeakMap r=1 {key/w, value, key/w, value}
other: object WeakMap r=1 {key/w, value}
empty: object WeakMap r=1
kept: object Target r=1 {name}
kept
gone
sound
Target 1
Value 1
sound
kept by its own value
