--TEST--
xhprof_heap_snapshot(): a handler that ends the request ends it; no file stays behind, and shutdown functions run
--EXTENSIONS--
ffi
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap", 'Linux', '64 bits'); ?>
--INI--
ffi.enable=1
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$engine = FFI::cdef('extern intptr_t std_object_handlers[28]; extern char zend_std_get_gc[1], _zend_bailout[1];
    int mprotect(intptr_t at, size_t size, int protection);');
$address = static fn (FFI\CData $variable): int => $engine->cast('intptr_t', FFI::addr($variable))->cdata;
$handlers = $engine->std_object_handlers;
for ($number = 0; $handlers[$number] !== $address($engine->zend_std_get_gc); $number++);
echo $engine->mprotect($address($handlers) & ~4095, 8192, 3), "\n"; // read, write
register_shutdown_function(static function () use ($handlers, $number, $engine, $address, &$folder): void {
    $handlers[$number] = $address($engine->zend_std_get_gc);
    echo 'left: ', json_encode(xhprof_test_list($folder)), "\n";
    $summary = xhprof_heap_snapshot("$folder/a");
    $sum = $summary['typed']['bytes'] + $summary['native']['bytes'] + $summary['unreachable']['bytes'];
    echo $sum === $summary['usage'] && !$summary['incomplete'] ? 'whole' : 'not whole', ', ', gc_collect_cycles(), " collected\n";
    echo json_encode(xhprof_test_list($folder)), "\n";
});
$folder = xhprof_test_folder(); // its own shutdown function comes later
$object = new stdClass();
$object->own = $object;
$cycle = new stdClass();
$cycle->own = $cycle;
unset($cycle);
$handlers[$number] = $address($engine->_zend_bailout);
xhprof_heap_snapshot("$folder/a");
echo "not reached\n";
?>
--EXPECT--
0
left: []
whole, 1 collected
["a"]
