--TEST--
xhprof.max_nodes: nonsense and too small values never give less than 16 nodes; a running session keeps its limit
--FILE--
<?php
require __DIR__ . '/../lib.inc';

for ($i = 0; $i < 40; $i++) {
    eval("function f$i() { }");
}

foreach (['1', '0', '-5', 'many', ''] as $value) {
    @ini_set('xhprof.max_nodes', $value);
    xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
    for ($i = 0; $i < 12; $i++) {
        "f$i"();
    }
    $edges = xhprof_disable();
    echo json_encode($value), ': ', count($edges), ' edges, ', xhprof_test_calls($edges, '(truncated)'), " truncated\n";
}

ini_set('xhprof.max_nodes', '1000');
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
ini_set('xhprof.max_nodes', '16');
for ($i = 0; $i < 40; $i++) {
    "f$i"();
}
ini_set('xhprof.max_nodes', '100000000');
$edges = xhprof_disable();
xhprof_test_check_invariants($edges, xhprof_call_tree());
echo array_sum(array_column($edges, 'ct')), "\n";
?>
--EXPECT--
"1": 13 edges, 0 truncated
"0": 13 edges, 0 truncated
"-5": 13 edges, 0 truncated
"many": 13 edges, 0 truncated
"": 13 edges, 0 truncated
invariants: ok
41
