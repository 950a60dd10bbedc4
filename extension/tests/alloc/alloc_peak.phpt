--TEST--
Allocations: the saved run has who held the memory when it was most, not only what is alive at the end
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';

$code = <<<'PHP'
    <?php
    function early() { return str_repeat('x', 8 << 20); }
    function large() { $all = []; for ($i = 0; $i < 40; $i++) { $all[] = str_repeat('y', 1 << 20); } return count($all); }
    function small() { return str_repeat('z', 1 << 20); }
    $early = early();
    large();
    unset($early);
    $kept = small();
    PHP;
foreach ([0, 4096] as $sampled) {
    $result = xhprof_test_auto($code, ['mode' => 'alloc', 'alloc_sample_bytes' => $sampled]);
    echo $result['out'], $result['err'];
    $run = $result['runs'][0];
    $tree = xhprof_test_run_part($result['folder'], "$run[id].$run[source]", 'tree');
    $memory = xhprof_test_run_part($result['folder'], "$run[id].$run[source]", 'memory');
    $path = $held = [];
    $paths = [];
    foreach ($tree['fn'] as $node => $fn) {
        $path[$tree['depth'][$node]] = $tree['names'][$fn];
        $paths[$node] = implode('>', array_slice($path, 1, $tree['depth'][$node]));
    }
    foreach ($memory['peak']['node'] as $i => $node) {
        $held[$paths[$node]] = $memory['peak']['bytes'][$i];
    }
    $near = static fn (int $bytes, float $mb): string => abs($bytes / (1 << 20) - $mb) <= $mb * 0.07 + 0.3 ? 'ok' : (string) $bytes;
    echo 'size: ', $near($memory['peak']['size'], $memory['allocators']['zend_mm']['peak'] / (1 << 20)), "\n";
    echo 'large: ', $near($held['large>str_repeat'] ?? 0, 40), ', early: ', $near($held['early>str_repeat'] ?? 0, 8);
    echo ', small: ', $held['small>str_repeat'] ?? 'none', "\n";
    echo 'not more than all: ', $sampled || array_sum($held) <= $memory['peak']['size'] ? 'yes' : 'no', "\n";
}
?>
--EXPECT--
size: ok
large: ok, early: ok, small: none
not more than all: yes
size: ok
large: ok, early: ok, small: none
not more than all: yes
