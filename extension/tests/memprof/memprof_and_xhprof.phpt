--TEST--
One session at a time: memprof's functions during a profile, xhprof's during a tracking
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(): string
{
    return str_repeat('x', 5000);
}

foreach ([0, XHPROF_FLAGS_ALLOC] as $flags) {
    echo "-- memprof_enable() in xhprof_enable($flags)\n";
    xhprof_enable($flags);
    var_dump(memprof_enable(), memprof_enabled());
    xhprof_test_throws(static fn () => memprof_disable());
    xhprof_test_throws(static fn () => memprof_dump_array());
    $s = leaf();
    $edges = xhprof_disable();
    echo isset($edges['main()==>leaf']) ? "profile goes on\n" : "no leaf\n";
    $tree = xhprof_call_tree();
    echo isset($tree['self']['live_bytes']) ? "with allocations\n" : "without allocations\n";
}
echo "-- in xhprof_sample_enable()\n";
xhprof_sample_enable();
var_dump(memprof_enable());
var_dump(is_array(xhprof_sample_disable()));
echo "-- xhprof in memprof\n";
var_dump(memprof_enable());
$kept = leaf();
xhprof_enable();
xhprof_enable(XHPROF_FLAGS_ALLOC);
xhprof_sample_enable();
var_dump(xhprof_disable(), xhprof_sample_disable(), xhprof_call_tree());
xhprof_test_throws(static fn () => xhprof_save());
var_dump(xhprof_alloc_mark());
var_dump(xhprof_alloc_dump(fopen('php://memory', 'w'), 'json'));
var_dump(memprof_enabled());
echo memprof_dump_array()['called_functions']['leaf']['memory_size_inclusive'], "\n";
var_dump(memprof_disable());
echo "-- a profile after it\n";
xhprof_enable();
leaf();
echo isset(xhprof_disable()['main()==>leaf']) ? "leaf\n" : "no leaf\n";
echo "-- nothing tracked now\n";
var_dump(xhprof_alloc_mark());
var_dump(xhprof_alloc_dump(STDERR, 'json'));
?>
--EXPECTF--
-- memprof_enable() in xhprof_enable(0)

Warning: memprof_enable(): Another profile is running in %smemprof_and_xhprof.php on line 12
bool(false)
bool(false)
Exception: memprof_disable(): memprof is not enabled
Exception: memprof_dump_array(): memprof is not enabled
profile goes on
without allocations
-- memprof_enable() in xhprof_enable(8)

Warning: memprof_enable(): Another profile is running in %smemprof_and_xhprof.php on line 12
bool(false)
bool(false)
Exception: memprof_disable(): memprof is not enabled
Exception: memprof_dump_array(): memprof is not enabled
profile goes on
with allocations
-- in xhprof_sample_enable()

Warning: memprof_enable(): Another profile is running in %smemprof_and_xhprof.php on line 23
bool(false)
bool(true)
-- xhprof in memprof
bool(true)

Warning: xhprof_enable(): Cannot profile while memprof_enable() tracks memory in %smemprof_and_xhprof.php on line 28

Warning: xhprof_enable(): Cannot profile while memprof_enable() tracks memory in %smemprof_and_xhprof.php on line 29

Warning: xhprof_sample_enable(): Cannot profile while memprof_enable() tracks memory in %smemprof_and_xhprof.php on line 30
NULL
NULL
NULL
RuntimeException: xhprof_save(): There is no stopped profile to save
int(1)
bool(true)
bool(true)
8192
bool(true)
-- a profile after it
leaf
-- nothing tracked now
bool(false)

Warning: xhprof_alloc_dump(): No allocations are tracked, and the last profile tracked none in %smemprof_and_xhprof.php on line 44
bool(false)
