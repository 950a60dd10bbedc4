--TEST--
xhprof.hooks=off: the engine has no observer, and compiles as without the profiler
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('+ffi'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

if (isset($argv[1])) {
    $engine = FFI::cdef('extern int zend_observer_fcall_op_array_extension; extern uintptr_t zend_compile_file;
        extern uintptr_t zend_compile_string; extern char compile_file; extern char compile_string;');
    echo $engine->zend_observer_fcall_op_array_extension === -1 ? 'not observed' : 'observed';
    foreach (['file', 'string'] as $what) {
        $own = $engine->cast('uintptr_t', FFI::addr($engine->{"compile_$what"}))->cdata;
        echo $engine->{"zend_compile_$what"} === $own ? ', own compiler' : ', wrapped compiler';
    }
    echo "\n";
    exit(0);
}
foreach (['auto', 'walk', 'off'] as $hooks) {
    xhprof_test_show(xhprof_test_child(__FILE__, ['child'], ['xhprof.hooks' => $hooks, 'ffi.enable' => 1], ['ffi']));
}
?>
--EXPECT--
observed, wrapped compiler, wrapped compiler
observed, wrapped compiler, wrapped compiler
not observed, own compiler, own compiler
