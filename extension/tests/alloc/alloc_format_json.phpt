--TEST--
xhprof_alloc_dump() as array-json: the shape, sums, types and pseudo functions
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../alloc.inc';
require __DIR__ . '/../alloc_formats.inc';

$before = str_repeat('b', 200_000);
xhprof_enable(XHPROF_FLAGS_ALLOC);
keep();
xhprof_disable();

$root = json_decode(xhprof_test_dump(), true, 5000, JSON_THROW_ON_ERROR);
echo implode(' ', array_keys($root)), "\n";
echo implode(' ', array_keys($root['called_functions'])), "\n";

function check(string $path, array $node): void
{
    $below = $node['called_functions'];
    if (
        $node['memory_size_inclusive'] !== $node['memory_size'] + array_sum(array_column($below, 'memory_size_inclusive'))
        || $node['blocks_count_inclusive'] !== $node['blocks_count'] + array_sum(array_column($below, 'blocks_count_inclusive'))
        || array_sum(array_column($node['types'], 'bytes')) !== $node['memory_size']
        || array_sum(array_column($node['types'], 'blocks')) !== $node['blocks_count']
    ) {
        echo "$path is not the sum of its parts\n";
    }
    foreach ($below as $name => $child) {
        check("$path;$name", $child);
    }
}

check('', $root);
$before = $root['called_functions']['(before)'];
var_dump($before['memory_size'] > 200_000, $before['blocks_count'], $before['called_functions']);
$fill = $root['called_functions']['main()']['called_functions']['keep']['called_functions']['Kept::fill'];
foreach ($fill['called_functions']['range']['types'] as $type => ['bytes' => $bytes, 'blocks' => $blocks]) {
    echo "$type: ", $bytes >= 32_000 ? 'enough bytes' : $bytes, " in $blocks, $fill[calls] call\n";
}
echo json_encode(json_decode(xhprof_test_dump(['types' => false]), true, 5000)['called_functions']['main()']['types'] ?? null), "\n";
?>
--EXPECT--
memory_size blocks_count memory_size_inclusive blocks_count_inclusive calls types called_functions
main() (before)
bool(true)
int(0)
array(0) {
}
array: enough bytes in 2, 1 call
null
