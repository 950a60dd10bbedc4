--TEST--
What the heap refuses to do where it has handlers works all the same: FFI::free(), gc_mem_caches()
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('+ffi'); ?>
--FILE--
<?php
require __DIR__ . '/../alloc.inc';

function program(): void
{
    $ffi = FFI::cdef();
    for ($i = 0; $i < 100; $i++) {
        $owned = $ffi->new('char[' . (10 + $i * 1000) . ']');
        FFI::memset($owned, 7, FFI::sizeof($owned));
        $free = $ffi->new('char[' . (10 + $i * 1000) . ']', false);
        FFI::free($free);
        $persistent = $ffi->new('char[1000]', false, true);
        FFI::free($persistent);
        $struct = $ffi->new('struct { int a; char b[3000000]; }', false);
        $struct->a = $i;
        FFI::free($struct);
    }
    $pointer = FFI::addr($ffi->new('int', false));
    FFI::free($pointer);
    $strings = [];
    for ($i = 0; $i < 20_000; $i++) {
        $strings[] = str_repeat('x', 100);
    }
    $strings = null;
    echo gc_mem_caches(), "\n", gc_mem_caches(), "\n", memory_get_usage(), ' ', memory_get_usage(true), "\n";
}

if (isset($argv[1])) {
    program();
    array_map('program_of_callback', [1]);
    exit(0);
}

function program_of_callback(): void
{
    $all = array_map(static fn (): object => FFI::cdef()->new('int[1000]', false), range(1, 10));
    array_map([FFI::class, 'free'], $all);
    echo memory_get_usage(), "\n";
}

$lines = explode("\n", xhprof_test_same_tracked(__FILE__, ['child'], ['ffi.enable' => 1], ['ffi']));
echo $lines[0] > 1_000_000 ? 'collected ' : $lines[0], $lines[1], "\n", count($lines), " lines\n";
?>
--EXPECT--
collected 0
5 lines
