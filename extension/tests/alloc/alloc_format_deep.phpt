--TEST--
200,000 deep: nested and full paths end in "(deeper)", callgrind and chrome have no end; nothing is lost
--SKIPIF--
<?php
if (getenv('SKIP_ASAN')) die('skip the readers of this test need the memory');
?>
--INI--
memory_limit=2G
opcache.enable_cli=0
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../alloc.inc';
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
memprof_disable();

echo 'levels of arrays: ', levels($array), "\n";
unserialize(serialize($array)) === $array || print("not the same\n");
for ($node = $array, $depth = 1; isset($node['called_functions']['deep']); $depth++) {
    $node = $node['called_functions']['deep'];
}
echo "depth $depth, then ", implode(' ', array_keys($node['called_functions'])), ' of ',
    $node['called_functions']['(deeper)']['blocks_count'] >= DEPTH - 960 ? 'the rest' : 'less', "\n";

xhprof_enable(XHPROF_FLAGS_ALLOC);
$kept = array_fill(0, DEPTH + 1, null);
deep(DEPTH, $kept);
xhprof_disable();
$total = json_decode($json = xhprof_test_dump(['types' => false]), true, 5000)['memory_size_inclusive'];
$read = [
    'json' => xhprof_test_json_bytes($json),
    'folded' => xhprof_test_folded_bytes(xhprof_test_dump(['types' => false], 'folded')),
    'pprof' => xhprof_test_pprof_bytes(xhprof_test_dump(['types' => false], 'pprof')),
];
foreach ($read as $format => $bytes) {
    echo "$format: ", array_sum($bytes) === $total ? 'all' : array_sum($bytes), ', the longest path has ',
        max(array_map(static fn (string $path): int => substr_count($path, ';') + 1, array_keys($bytes))), " functions\n";
}
preg_match('/^summary: (\d+) /m', xhprof_test_dump([], 'callgrind'), $match);
echo 'callgrind: ', (int) $match[1] === $total ? 'all' : $match[1], "\n";
$heaps = json_decode(xhprof_test_dump(['types' => false], 'chrome'), true)['traceEvents'][1]['args']['dumps']['heaps_v2'];
echo 'chrome: ', array_sum($heaps['allocators']['zend_mm']['sizes']) === $total ? 'all' : 'less', ', ',
    count($heaps['maps']['nodes']) > DEPTH ? 'all nodes' : count($heaps['maps']['nodes']), "\n";
?>
--EXPECT--
levels of arrays: 1922
depth 960, then (deeper) of the rest
json: all, the longest path has 960 functions
folded: all, the longest path has 960 functions
pprof: all, the longest path has 960 functions
callgrind: all
chrome: all, all nodes
