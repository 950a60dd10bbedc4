--TEST--
xhprof.alloc_max_records and xhprof.max_nodes: what is beyond is counted, and everything goes on
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('usual figures'); ?>
--FILE--
<?php
require __DIR__ . '/../run_files.inc';
require __DIR__ . '/../alloc.inc';

function makes(int $n): array
{
    $all = array_fill(0, $n, null);
    for ($i = 0; $i < $n; $i++) {
        $all[$i] = pack('x1000');
    }
    return $all;
}

if (isset($argv[1])) {
    $usage = memory_get_usage();
    xhprof_enable(XHPROF_FLAGS_ALLOC);
    $kept = makes(2000);
    unset($kept);
    $kept = makes(2000);
    $more = [];
    foreach (range('a', 'z') as $letter) {
        $more[] = eval("function $letter$letter(): string { return pack('x2000'); } return $letter$letter();");
    }
    $now = memory_get_usage();
    xhprof_disable();
    $folder = xhprof_test_folder();
    ini_set('xhprof.output_dir', $folder);
    $id = xhprof_save();
    $memory = xhprof_test_run_part($folder, "$id.xhprof", 'memory');
    $zend = $memory['allocators']['zend_mm'];
    $packs = 0;
    $names = [];
    $tree = xhprof_call_tree();
    foreach ($memory['rows']['node'] as $i => $node) {
        $name = $node < 0 ? '(before)' : $tree['names'][$tree['fn'][$node]];
        if ($name === 'pack') {
            $packs += $memory['rows']['blocks'][$i];
        }
        $names[$name] = true;
    }
    echo 'strings found: ', $packs >= 2000 ? 'all' : ($packs > 900 ? 'as many as fit' : $packs), "\n";
    echo 'dropped: ', $memory['dropped']['blocks'] > 0 ? 'some' : 'none', ', ',
        $memory['dropped']['bytes'] >= 1280 * ($memory['dropped']['blocks'] - 100) ? 'with their bytes' : 'bytes missing', "\n";
    echo 'sums: ', array_sum($memory['rows']['bytes']) === $zend['size'] ? 'ok' : array_sum($memory['rows']['bytes']) . " $zend[size]", "\n";
    $register = $memory['allocators']['xhprof/register']['size'];
    echo 'register: ', $register < 4_000_000 ? 'ok' : $register, "\n";
    echo 'truncated: ', isset($names['(truncated)']) ? 'yes' : 'no', "\n";
    xhprof_test_between('size', $zend['size'], $now - 1000, $now + 1000);
    exit(0);
}
xhprof_test_alike([[], ['xhprof.alloc_max_records' => 1_000_000], ['xhprof.alloc_max_records' => 1000], ['xhprof.max_nodes' => 16],
    ['xhprof.alloc_max_records' => 1000, 'xhprof.max_nodes' => 16]],
    static fn (array $ini) => xhprof_test_show(xhprof_test_child(__FILE__, ['child'], $ini)));
?>
--EXPECT--
-- []
strings found: all
dropped: none, with their bytes
sums: ok
register: ok
truncated: no
size: ok
-- {"xhprof.alloc_max_records":1000000}: as []
-- {"xhprof.alloc_max_records":1000}
strings found: as many as fit
dropped: some, with their bytes
sums: ok
register: ok
truncated: no
size: ok
-- {"xhprof.max_nodes":16}
strings found: all
dropped: none, with their bytes
sums: ok
register: ok
truncated: yes
size: ok
-- {"xhprof.alloc_max_records":1000,"xhprof.max_nodes":16}: as {"xhprof.alloc_max_records":1000}
