--TEST--
Operations last as long as their functions: the profiler's own work within them counts for neither
--FILE--
<?php
require __DIR__ . '/operations.inc';

final class Slow
{
    public $context;

    public function stream_open(string $path, string $mode): bool
    {
        for ($i = 0; $i < 2000; $i++) {
            // Each has a text to be read, and a name that no other function has.
            @file_get_contents("/missing/$i/" . __LINE__);
            if ($i % 20 === 0) {
                $name = "slow{$i}_" . count(get_defined_functions()['user']);
                eval("function $name() {} $name();");
            }
        }
        return true;
    }

    public function stream_read(int $count): string
    {
        return '';
    }

    public function stream_eof(): bool
    {
        return true;
    }

    public function stream_stat(): array
    {
        return [];
    }
}

stream_wrapper_register('slow', Slow::class);
$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);
foreach ([0, XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY] as $flags) {
    xhprof_enable($flags);
    file_get_contents('slow://x');
    gc_collect_cycles();
    xhprof_disable();
    $tree = xhprof_call_tree();
    $operations = operations_of($folder, xhprof_save('test'));
    $took = $tree['self']['wt'];
    $open = [];
    foreach ($tree['depth'] as $node => $depth) {
        foreach (array_slice($open, 0, $depth) as $above) {
            $took[$above] += $tree['self']['wt'][$node];
        }
        $open[$depth] = $node;
    }
    $nodes = count($took);
    $sums = [];
    foreach ($operations['node'] as $row => $node) {
        $sums[$node]['ct'] = ($sums[$node]['ct'] ?? 0) + $operations['ct'][$row];
        $sums[$node]['total'] = ($sums[$node]['total'] ?? 0) + $operations['total'][$row];
    }
    $met = [];
    foreach ($sums as $node => ['ct' => $calls, 'total' => $total]) {
        $name = $tree['names'][$tree['fn'][$node]];
        $name = str_starts_with($name, 'eval::') ? 'eval' : $name;
        // Each node's nanoseconds are cut off. The engine's own work is a part of what its function does.
        $isEngine = $name === 'eval' || $name === 'gc_collect_cycles';
        $fits = $total <= $took[$node] + $nodes && ($isEngine || $total >= $took[$node] - $calls);
        $met["$name " . ($fits ? 'fits' : "takes $total, its function $took[$node] in $calls calls")] = true;
    }
    ksort($met);
    echo implode("\n", array_keys($met)), "\n";
}
xhprof_test_remove($folder);
?>
--EXPECT--
eval fits
file_get_contents fits
gc_collect_cycles fits
eval fits
file_get_contents fits
gc_collect_cycles fits
