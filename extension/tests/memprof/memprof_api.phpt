--TEST--
memprof's functions: what each returns and throws, switched on and off
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function calls(): array
{
    return [
        static fn () => memprof_disable(),
        static fn () => memprof_dump_array(),
        static fn () => memprof_dump_callgrind(STDERR),
        static fn () => memprof_dump_pprof(STDERR),
    ];
}

echo "-- off\n";
var_dump(memprof_enabled());
echo json_encode(memprof_enabled_flags()), "\n";
array_map('xhprof_test_throws', calls());
echo "-- on\n";
var_dump(memprof_enable(), memprof_enabled());
echo json_encode(memprof_enabled_flags()), "\n";
xhprof_test_throws(static fn () => memprof_enable());
$all = range(1, 1000);
$dump = memprof_dump_array();
echo implode(' ', array_keys($dump)), "\n";
var_dump(array_intersect(['range', 'main', 'main()', '(before)'], array_keys($dump['called_functions'])));
echo $dump['memory_size_inclusive'] > 20_000 ? 'inclusive' : $dump['memory_size_inclusive'], "\n";
$range = $dump['called_functions']['range'];
xhprof_test_between('range()', $range['memory_size'], 16_000, 21_000);
echo $range['memory_size_inclusive'] - $range['memory_size'], " $range[blocks_count] $range[blocks_count_inclusive] $range[calls] ",
    json_encode($range['called_functions']), "\n";
foreach (['memprof_dump_callgrind', 'memprof_dump_pprof'] as $function) {
    $stream = fopen('php://memory', 'w+');
    var_dump($function($stream));
    rewind($stream);
    echo strlen(stream_get_contents($stream)) > 100 ? 'written' : 'nothing', "\n";
    fclose($stream);
    xhprof_test_throws(static fn () => $function($stream));
    xhprof_test_throws(static fn () => $function('string'));
    xhprof_test_throws(static fn () => $function());
}
var_dump(memprof_enabled());
echo "-- off again\n";
var_dump(memprof_disable(), memprof_enabled());
array_map('xhprof_test_throws', calls());
echo "-- on again\n";
var_dump(memprof_enable(), memprof_enabled());
$dump = memprof_dump_array();
echo isset($dump['called_functions']['range']) ? 'not forgotten' : 'forgotten', "\n";
var_dump(memprof_disable());
var_dump(memprof_version() === phpversion('xhprof'));
foreach (['memprof_enable', 'memprof_disable', 'memprof_enabled', 'memprof_enabled_flags', 'memprof_dump_array',
    'memprof_version'] as $function) {
    xhprof_test_throws(static fn () => $function(1));
}
?>
--EXPECT--
-- off
bool(false)
{"enabled":false,"native":false,"dump_on_limit":false}
Exception: memprof_disable(): memprof is not enabled
Exception: memprof_dump_array(): memprof is not enabled
Exception: memprof_dump_callgrind(): memprof is not enabled
Exception: memprof_dump_pprof(): memprof is not enabled
-- on
bool(true)
bool(true)
{"enabled":true,"native":false,"dump_on_limit":false}
Exception: memprof_enable(): memprof is already enabled
memory_size blocks_count memory_size_inclusive blocks_count_inclusive calls called_functions
array(1) {
  [0]=>
  string(5) "range"
}
inclusive
range(): ok
0 2 2 1 []
NULL
written
TypeError: memprof_dump_callgrind(): supplied resource is not a valid stream resource
TypeError: memprof_dump_callgrind(): Argument #1 ($handle) must be of type resource, string given
ArgumentCountError: memprof_dump_callgrind() expects exactly 1 argument, 0 given
NULL
written
TypeError: memprof_dump_pprof(): supplied resource is not a valid stream resource
TypeError: memprof_dump_pprof(): Argument #1 ($handle) must be of type resource, string given
ArgumentCountError: memprof_dump_pprof() expects exactly 1 argument, 0 given
bool(true)
-- off again
bool(true)
bool(false)
Exception: memprof_disable(): memprof is not enabled
Exception: memprof_dump_array(): memprof is not enabled
Exception: memprof_dump_callgrind(): memprof is not enabled
Exception: memprof_dump_pprof(): memprof is not enabled
-- on again
bool(true)
bool(true)
forgotten
bool(true)
bool(true)
ArgumentCountError: memprof_enable() expects exactly 0 arguments, 1 given
ArgumentCountError: memprof_disable() expects exactly 0 arguments, 1 given
ArgumentCountError: memprof_enabled() expects exactly 0 arguments, 1 given
ArgumentCountError: memprof_enabled_flags() expects exactly 0 arguments, 1 given
ArgumentCountError: memprof_dump_array() expects exactly 0 arguments, 1 given
ArgumentCountError: memprof_version() expects exactly 0 arguments, 1 given
