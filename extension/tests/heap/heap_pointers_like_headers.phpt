--TEST--
Heap snapshot: a block that begins with a pointer is no string, whatever the pointer's upper half
--EXTENSIONS--
ffi
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--INI--
ffi.enable=1
--FILE--
<?php
require __DIR__ . '/../heap.inc';

/** A block of PHP's heap with these words, as the C structures of extensions; only FFI::free() frees it. */
function block(int ...$words): FFI\CData
{
    $block = FFI::cdef()->new('uint64_t[7]', false);
    foreach ($words as $i => $word) {
        $block[$i] = $word;
    }
    return $block;
}
function address(FFI\CData $block): int
{
    return FFI::cdef()->cast('uintptr_t', FFI::addr($block[0]))->cdata;
}

// The first word is a pointer that ends like a header with a reference; then, as in a string, a hash and a length. At its end, the
// only pointer to another block.
$first = ['mapped' => 0x7F5600000001, 'in the program' => 0x555600000001, 'a low one' => 0x64B600000001];
$blocks = $within = [];
foreach ($first as $name => $word) {
    $block = block();
    $within[$name] = address($block);
    $blocks[$name] = block($word, 0, 8, 0, 0, 0, address($block));
}
unset($block);
$heap = xhprof_test_heap();
xhprof_test_heap_check($heap);
foreach ($blocks as $name => $block) {
    $node = $heap['nodes'][address($block)];
    echo $name, ': ', $node['t'], isset($node['v']) ? ', a string' : '';
    foreach ($node['e'] ?? [] as [$label, $to]) {
        echo ', ', $label, $to === $within[$name] ? ' the other' : '';
    }
    echo "\n";
}
foreach ($blocks as $name => $block) {
    $other = FFI::cdef()->cast('uint64_t *', $within[$name]);
    FFI::free($other);
    FFI::free($block);
}
?>
--EXPECT--
sound
mapped: native, +48 the other
in the program: native, +48 the other
a low one: native, +48 the other
