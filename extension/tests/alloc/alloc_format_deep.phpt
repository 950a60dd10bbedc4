--TEST--
200,000 deep: memprof's array ends in "(deeper)", callgrind and the dump have no end; nothing is lost
--SKIPIF--
<?php
if (getenv('SKIP_ASAN')) die('skip the readers of this test need the memory');
?>
--INI--
memory_limit=2G
opcache.enable_cli=0
--FILE--
<?php
require __DIR__ . '/../alloc_formats.inc';

const DEPTH = 200_000;

function deep(int $depth, array &$kept): void
{
    $kept[$depth] = chr(65 + $depth % 26) . $depth;
    $depth > 0 && deep($depth - 1, $kept);
}

/** Of nested arrays. */
function levels(array $root): int
{
    for ($levels = 0, $arrays = [$root]; $arrays !== []; $levels++) {
        $arrays = array_filter(array_merge(...array_map('array_values', $arrays)), 'is_array');
    }
    return $levels;
}

$kept = array_fill(0, DEPTH + 1, null);
memprof_enable();
deep(DEPTH, $kept);
$array = memprof_dump_array();
$callgrind = fopen('php://memory', 'w+');
memprof_dump_callgrind($callgrind);
memprof_disable();

echo 'levels of arrays: ', levels($array), "\n";
unserialize(serialize($array)) === $array || print("not the same\n");
for ($node = $array, $depth = 1; isset($node['called_functions']['deep']); $depth++) {
    $node = $node['called_functions']['deep'];
}
echo "depth $depth, then ", implode(' ', array_keys($node['called_functions'])), ' of ',
    $node['called_functions']['(deeper)']['blocks_count'] >= DEPTH - 960 ? 'the rest' : 'less', "\n";

rewind($callgrind);
preg_match('/^summary: \d+ (\d+)$/m', stream_get_contents($callgrind), $match);
echo 'callgrind: ', (int) $match[1] >= $array['blocks_count_inclusive'] ? 'all' : $match[1], "\n";
unset($array, $node, $callgrind);
xhprof_enable(XHPROF_FLAGS_ALLOC);
$kept = array_fill(0, DEPTH + 1, null);
deep(DEPTH, $kept);
xhprof_disable();
$dump = json_decode(xhprof_test_dump(['types' => false]), true);
echo 'dump: ', max($dump['tree']['depth']) >= DEPTH ? 'all nodes' : max($dump['tree']['depth']), ', ',
    array_sum($dump['rows']['bytes']) === $dump['allocators']['zend_mm']['size'] ? 'all bytes' : array_sum($dump['rows']['bytes']), "\n";
?>
--EXPECT--
levels of arrays: 1922
depth 960, then (deeper) of the rest
callgrind: all
dump: all nodes, all bytes
