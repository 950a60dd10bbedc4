--TEST--
xhprof_context(): its arguments, what it gives, and where a context ends
--FILE--
<?php
require __DIR__ . '/context.inc';

if (isset($argv[1])) {
    ini_set('xhprof.output_dir', xhprof_test_folder());
    echo 'at first ', set(1), ', then ', set(2), ', ', now(), ', ', now(), "\n";
    xhprof_begin_span('outer');
    echo 'in a span ', now(), "\n";
    set(3);
    xhprof_begin_span('inner');
    set(4);
    echo 'in an inner one ', now(), "\n";
    xhprof_end_span();
    echo 'after it ', now(), "\n";
    set(5);
    (function (): void {
        $span = xhprof_span('object');
        echo 'in an object ', now(), "\n";
        $span->end();
        echo 'after it ', now(), "\n";
    })();
    xhprof_end_span();
    echo 'after the outer one ', now(), "\n";
    echo 'cleared ', set(0), ' ', set(0), ' ', now(), "\n";
    exit(0);
}
$wrong = [
    ['', ''], ['x', null], [null, 'x'], [ids(1)[0], null], [null, ids(1)[1]], [ids(1)[1], ids(1)[0]], [str_repeat('0', 32), ids(1)[1]],
    [ids(1)[0], str_repeat('0', 16)], [str_repeat('g', 32), ids(1)[1]], [ids(1)[0] . "\n", ids(1)[1]], [ids(1)[0] . "\0", ids(1)[1]],
    [[], null], [null, 7.5],
];
set(7);
foreach ($wrong as $arguments) {
    try {
        xhprof_context(...$arguments);
        echo 'taken: ', json_encode($arguments), "\n";
    } catch (ValueError | TypeError $e) {
        echo $e::class, ': ', $e->getMessage(), "\n";
    }
}
echo 'still ', now(), "\n";
xhprof_context(strtoupper(ids(0xabcd)[0]), strtoupper(ids(0xabcd)[1]));
echo xhprof_context(null, null)['span_id'], "\n";
foreach (['no', 'yes'] as $start) {
    echo "-- start_with_request=$start\n";
    xhprof_test_show(xhprof_test_child(__FILE__, ['child'], ['xhprof.start_with_request' => $start]));
}
?>
--EXPECT--
ValueError: xhprof_context(): Argument #1 ($trace_id) must be 32 hexadecimal digits, not all of them 0
ValueError: xhprof_context(): Argument #1 ($trace_id) must be 32 hexadecimal digits, not all of them 0
ValueError: xhprof_context(): Argument #2 ($span_id) must be 16 hexadecimal digits, not all of them 0
ValueError: xhprof_context(): Argument #1 ($trace_id) must be null if the other one is
ValueError: xhprof_context(): Argument #2 ($span_id) must be null if the other one is
ValueError: xhprof_context(): Argument #1 ($trace_id) must be 32 hexadecimal digits, not all of them 0
ValueError: xhprof_context(): Argument #1 ($trace_id) must be 32 hexadecimal digits, not all of them 0
ValueError: xhprof_context(): Argument #2 ($span_id) must be 16 hexadecimal digits, not all of them 0
ValueError: xhprof_context(): Argument #1 ($trace_id) must be 32 hexadecimal digits, not all of them 0
ValueError: xhprof_context(): Argument #1 ($trace_id) must be 32 hexadecimal digits, not all of them 0
ValueError: xhprof_context(): Argument #1 ($trace_id) must be 32 hexadecimal digits, not all of them 0
TypeError: xhprof_context(): Argument #1 ($trace_id) must be of type ?string, array given
ValueError: xhprof_context(): Argument #2 ($span_id) must be 16 hexadecimal digits, not all of them 0
still 7
abcdabcdabcdabcd
-- start_with_request=no
at first -, then 1, 2, 2
in a span 2
in an inner one 4
after it 4
in an object 5
after it 5
after the outer one 5
cleared 5 - -
-- start_with_request=yes
at first -, then 1, 2, 2
in a span 2
in an inner one 4
after it -
in an object 5
after it -
after the outer one -
cleared - - -
