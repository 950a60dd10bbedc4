--TEST--
Heap snapshot within eval(): its code is the frame's function, and nothing of it is unreachable
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

function runs(): array
{
    return eval('$literal = "of the code"; return xhprof_test_heap();');
}
$heap = runs();
xhprof_test_heap_check($heap);
$frames = xhprof_test_heap_root($heap, 'call_frames');
for ($i = 0; ($frame = xhprof_test_heap_at($heap, $frames, $i)) !== null; $i++) {
    if (str_contains($frame['f'] ?? '', "eval()'d code")) {
        $function = xhprof_test_heap_at($heap, $frame, 'function');
        echo $frame['c'], ': ', $function['t'] ?? 'nothing', ' ', isset($function['b']) ? 'with a block' : 'without', "\n";
    }
}
echo $heap['summary']['unreachable']['blocks'], " unreachable\n";
?>
--EXPECT--
sound
{main}: function with a block
0 unreachable
