--TEST--
Beside an extension that replaces the heap and unmaps what is freed, nothing else is read, and figures are PHP's own
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('compiler'); ?>
--FILE--
<?php
require __DIR__ . '/../alloc.inc';

function kept(int $size): string { return str_repeat('x', $size); }

if (isset($argv[1])) {
    $usage = memory_get_usage();
    $peak = memory_get_peak_usage();
    [$begin, $end] = [
        'loaded' => [null, null],
        'edges' => ['xhprof_enable', 'xhprof_disable'],
        'memory' => ['xhprof_enable', 'xhprof_disable'],
        'alloc' => ['xhprof_enable', 'xhprof_disable'],
        'memprof' => ['memprof_enable', 'memprof_disable'],
        'tideways' => ['tideways_xhprof_enable', 'tideways_xhprof_disable'],
        'sample' => ['xhprof_sample_enable', 'xhprof_sample_disable'],
        'snapshot' => [null, null],
    ][$argv[1]];
    $flags = ['memory' => XHPROF_FLAGS_MEMORY, 'alloc' => XHPROF_FLAGS_ALLOC | XHPROF_FLAGS_MEMORY][$argv[1]] ?? null;
    $begin && ($flags ? $begin($flags) : $begin());
    for ($i = $length = 0; $i < 300; $i++) {
        $list[] = kept($i * 20);
    }
    unset($list);
    $big = kept(1_000_000);
    if ($argv[1] === 'alloc' || $argv[1] === 'memprof') {
        echo xhprof_test_live(xhprof_test_dump())['main();kept;str_repeat'][1] ?? 'no', " block\n";
    }
    if ($argv[1] === 'snapshot') {
        // Where the heap's blocks are not its own, or there is none, it is refused with the reason.
        $taken = @xhprof_heap_snapshot("$argv[2]/heap") !== [];
        $refused = preg_match('/No snapshot to .*: (the Zend heap.s blocks do not add up|PHP has no Zend heap)/', error_get_last()['message'] ?? '');
        echo $taken === !$refused ? '' : "snapshot\n";
    }
    $profile = $end ? $end() : null;
    echo strlen($big), "\n";
    if ($flags) {
        // The heap that keeps no figures has none in a profile either.
        $counts = getenv('GUARDED_HEAP') !== 'nothing';
        $inclusive = $profile['main()==>kept']['mu'] >= 1_000_000;
        echo $inclusive === $counts ? '' : "mu: {$profile['main()==>kept']['mu']}\n";
        $keepsPeak = in_array(getenv('GUARDED_HEAP'), ['peak', false], true) && getenv('USE_TRACKED_ALLOC') !== '1';
        echo $profile['main()==>kept']['pmu'] >= 900_000 === $keepsPeak ? '' : "pmu: {$profile['main()==>kept']['pmu']}\n";
        echo memory_get_peak_usage() > 0 === $peak > 0 ? '' : "a peak that PHP does not keep\n";
    }
    exit;
}
$folder = xhprof_test_folder();
$command = xhprof_test_compiler() . ' -Wl,-z,nodelete -o ' . escapeshellarg("$folder/guarded_heap.so") . ' '
    . escapeshellarg(__DIR__ . '/../guarded_heap.c');
passthru($command);
$heaps = [
    'nothing' => ['USE_ZEND_ALLOC' => '1', 'GUARDED_HEAP' => 'nothing'],
    'counting' => ['USE_ZEND_ALLOC' => '1', 'GUARDED_HEAP' => 'counting'],
    'peak' => ['USE_ZEND_ALLOC' => '1', 'GUARDED_HEAP' => 'peak'],
    'tracked' => ['USE_ZEND_ALLOC' => '0', 'USE_TRACKED_ALLOC' => '1'],
    'own' => ['USE_ZEND_ALLOC' => '1'],
];
foreach (['loaded', 'edges', 'memory', 'alloc', 'memprof', 'tideways', 'sample', 'snapshot'] as $way) {
    foreach ($heaps as $name => $heap) {
        $child = xhprof_test_child(__FILE__, [$way, $folder], ['extension' => "$folder/guarded_heap.so"], [], null, $heap + getenv());
        $expected = ($way === 'alloc' || $way === 'memprof' ? "1 block\n" : '') . "1000000\n";
        if ($child !== ['code' => 0, 'out' => $expected, 'err' => '']) {
            echo "$way, $name: ";
            var_dump($child);
        }
    }
}
mkdir("$folder/runs");
foreach (['exact', 'sample', 'alloc', 'aggregate'] as $mode) {
    foreach ($heaps as $name => $heap) {
        $ini = ['extension' => "$folder/guarded_heap.so", 'xhprof.output_dir' => "$folder/runs", 'xhprof.start_with_request' => 'yes',
            'xhprof.mode' => $mode];
        $child = xhprof_test_child(__FILE__, ['loaded'], $ini, [], null, $heap + getenv());
        if ($child !== ['code' => 0, 'out' => "1000000\n", 'err' => '']) {
            echo "$mode, $name: ";
            var_dump($child);
        }
    }
}
echo "Done\n";
?>
--EXPECT--
Done
