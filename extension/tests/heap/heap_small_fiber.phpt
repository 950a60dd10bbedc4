--TEST--
Heap snapshot within a fiber that has a small stack, at memory_limit too
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

if (isset($argv[1])) {
    ini_set('memory_limit', '8M');
    $fiber = new Fiber(static function (string $file): void {
        foreach (['jsonl', 'summary'] as $format) {
            $summary = xhprof_heap_snapshot($file, ['format' => $format]);
            echo $format, ' ', $summary['unreadable'] === 0 && $summary['nodes'] > 1000 ? 'ok' : json_encode($summary), "\n";
        }
        xhprof_heap_snapshot($file);
        $all = [];
        while (true) {
            $all[] = str_repeat('x', 1000);
        }
    });
    $fiber->start($argv[1]);
}
$folder = xhprof_test_folder();
$child = xhprof_test_child(__FILE__, ["$folder/a"], [
    'fiber.stack_size' => PHP_VERSION_ID < 80300 ? '32K' : '96K', // newer versions keep some of it for themselves
    'xhprof.heap_on_limit' => "$folder/b",
    'log_errors' => 0,
]);
echo preg_replace('/ of \d+ bytes exhausted.*/', '', $child['out']), $child['code'], ' ', str_replace($folder, '', $child['err']);
foreach (['a', 'b'] as $file) {
    $heap = xhprof_test_heap_read("$folder/$file");
    $file === 'a' && xhprof_test_heap_check($heap);
    $names = [];
    foreach (xhprof_test_heap_root($heap, 'call_frames')['e'] as $edge) {
        is_int($edge[0]) && $names[] = preg_replace('/\{closure:.*/', '{closure}', $heap['nodes'][$edge[1]]['c'] ?? '');
    }
    echo implode(' < ', array_diff($names, ['str_repeat'])), "\n"; // where there is no memory left may be in it, or behind it
}
?>
--EXPECT--
jsonl ok
summary ok

Fatal error: Allowed memory size
255 xhprof: the heap snapshot at memory_limit is /b
sound
xhprof_heap_snapshot < {closure} < {fiber} < Fiber::start < {main}
{closure} < {fiber} < Fiber::start < {main}
