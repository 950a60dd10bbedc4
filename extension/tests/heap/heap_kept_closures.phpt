--TEST--
Heap snapshot: closures that the engine keeps to hand them out again (8.6) are in use, with what they consist of
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap", 'PHP 8.6'); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

function binds_nothing(): Closure
{
    return static fn (): array => [1];
}
function of_function(): Closure
{
    return strrev(...);
}
eval('function partial(string $text): Closure { return str_replace("a", $text, ?); }');

$same = [binds_nothing() === binds_nothing(), of_function() === of_function()];
echo json_encode($same), ' ', partial('b')('aa'), partial('c')('aa'), "\n";
$held = binds_nothing();

$heap = xhprof_test_heap();
xhprof_test_heap_check($heap);
$references = $kept = [];
foreach ($heap['nodes'] as $node) {
    foreach ($node['e'] ?? [] as $edge) {
        $to = $heap['nodes'][$edge[1] ?? 0] ?? null;
        if ($to !== null && ($edge[2] ?? '') !== 'w') {
            $references[$to['a']] = ($references[$to['a']] ?? 0) + 1;
        }
        if ($to !== null && str_ends_with((string) $edge[0], 'kept for reuse') && in_array($to['t'], ['closure', 'function'], true)) {
            $kept["$edge[0]: $to[t]"][] = $to;
        }
    }
}
ksort($kept);
foreach ($kept as $what => $nodes) {
    $wrong = array_filter($nodes, static fn (array $node): bool => ($node['r'] ?? 0) !== ($references[$node['a']] ?? 0) && $node['t'] === 'closure');
    echo $what, ', ', count($wrong), " with another reference count\n";
}
$held = xhprof_test_heap_global($heap, 'held');
echo in_array($held['a'], array_column($kept['closure kept for reuse: closure'] ?? [], 'a'), true) ? 'the same' : 'another', ', line ', $held['l'], "\n";
echo $heap['footer']['summary']['classes']['Closure']['count'] >= 2 ? 'counted' : 'not counted', ', ', $heap['summary']['unreachable']['blocks'], " candidates\n";
?>
--EXPECT--
[true,true] bbcc
sound
closure kept for reuse: closure, 0 with another reference count
partial application kept for reuse: function, 0 with another reference count
the same, line 6
counted, 0 candidates
