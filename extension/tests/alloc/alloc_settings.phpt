--TEST--
Settings of tracked allocations: what is out of range, wrong formats, changes while tracking
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../alloc.inc';

foreach (['xhprof.alloc_max_records', 'xhprof.alloc_sample_bytes', 'memprof.output_dir', 'memprof.output_format'] as $name) {
    echo "$name: ", ini_get($name), "\n";
}
set_error_handler(static function (int $type, string $message): bool {
    echo "Warning: $message\n";
    return true;
});
foreach (['xhprof.alloc_max_records' => ['999', '1000', '1000000000', '1000000001', '-1', 'x', '1M', ''],
    'xhprof.alloc_sample_bytes' => ['-1', '0', '1', '512K', '1T', 'x', '9223372036854775807'],
    'memprof.output_format' => ['', 'pprof', 'Pprof', 'callgrind', 'x'],
    'memprof.output_dir' => ['', '/nonexistent', str_repeat('x', 10000)]] as $name => $values) {
    foreach ($values as $value) {
        $before = ini_get($name);
        $set = ini_set($name, $value);
        $now = ini_get($name);
        echo "$name=", substr($value, 0, 20), ': ', $set === false ? 'refused' : 'set',
            $set === false && $now !== $before ? ", but is $now" : '', "\n";
        ini_restore($name);
    }
}

function kept(): string
{
    return str_repeat('x', 5000);
}

echo "-- changes do not touch what runs\n";
xhprof_enable(XHPROF_FLAGS_ALLOC);
ini_set('xhprof.alloc_sample_bytes', '1000000');
ini_set('xhprof.alloc_max_records', '1000');
$all = array_fill(0, 3000, null);
for ($i = 0; $i < 3000; $i++) {
    $all[$i] = kept();
}
xhprof_test_print_live(xhprof_test_dump(['types' => false]), ';kept');
$all = null;
xhprof_test_print_live(xhprof_test_dump(['types' => false]), ';kept');
ini_restore('xhprof.alloc_sample_bytes');
xhprof_disable();
echo "-- in php.ini\n";
$wrong = ['xhprof.alloc_max_records' => 1, 'xhprof.alloc_sample_bytes' => -1, 'memprof.output_format' => 'x', 'memprof.output_dir' => ''];
xhprof_test_show(xhprof_test_child(__DIR__ . '/fixture_settings.inc', [], $wrong));
?>
--EXPECT--
xhprof.alloc_max_records: 10000000
xhprof.alloc_sample_bytes: 0
memprof.output_dir: /tmp
memprof.output_format: callgrind
Warning: xhprof.alloc_max_records must be between 1000 and 1000000000
xhprof.alloc_max_records=999: refused
xhprof.alloc_max_records=1000: set
xhprof.alloc_max_records=1000000000: set
Warning: xhprof.alloc_max_records must be between 1000 and 1000000000
xhprof.alloc_max_records=1000000001: refused
Warning: xhprof.alloc_max_records must be between 1000 and 1000000000
xhprof.alloc_max_records=-1: refused
Warning: xhprof.alloc_max_records must be between 1000 and 1000000000
xhprof.alloc_max_records=x: refused
xhprof.alloc_max_records=1M: set
Warning: xhprof.alloc_max_records must be between 1000 and 1000000000
xhprof.alloc_max_records=: refused
Warning: xhprof.alloc_sample_bytes must be between 0 and 1099511627776
xhprof.alloc_sample_bytes=-1: refused
xhprof.alloc_sample_bytes=0: set
xhprof.alloc_sample_bytes=1: set
xhprof.alloc_sample_bytes=512K: set
Warning: Invalid "xhprof.alloc_sample_bytes" setting. Invalid quantity "1T": unknown multiplier "T", interpreting as "1" for backwards compatibility
xhprof.alloc_sample_bytes=1T: set
Warning: Invalid "xhprof.alloc_sample_bytes" setting. Invalid quantity "x": no valid leading digits, interpreting as "0" for backwards compatibility
xhprof.alloc_sample_bytes=x: set
Warning: xhprof.alloc_sample_bytes must be between 0 and 1099511627776
xhprof.alloc_sample_bytes=9223372036854775807: refused
Warning: memprof.output_format must be callgrind or pprof
memprof.output_format=: refused
memprof.output_format=pprof: set
Warning: memprof.output_format must be callgrind or pprof
memprof.output_format=Pprof: refused
memprof.output_format=callgrind: set
Warning: memprof.output_format must be callgrind or pprof
memprof.output_format=x: refused
memprof.output_dir=: refused
memprof.output_dir=/nonexistent: set
memprof.output_dir=xxxxxxxxxxxxxxxxxxxx: set
-- changes do not touch what runs
main();kept;str_repeat: 24576000 B in 3000
-- in php.ini

Warning: xhprof.alloc_max_records must be between 1000 and 1000000000 in Unknown on line 0

Warning: xhprof.alloc_sample_bytes must be between 0 and 1099511627776 in Unknown on line 0

Warning: memprof.output_format must be callgrind or pprof in Unknown on line 0
xhprof.alloc_max_records=10000000
xhprof.alloc_sample_bytes=0
memprof.output_format=callgrind
memprof.output_dir=/tmp
