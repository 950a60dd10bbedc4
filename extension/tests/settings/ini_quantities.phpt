--TEST--
INI numbers are read as the engine reads them, with K, M and G, and are bounded
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--FILE--
<?php
var_dump(ini_set('xhprof.max_nodes', '1M') !== false);
var_dump(@ini_set('xhprof.max_nodes', '16G'));
var_dump(@ini_set('xhprof.sampling_interval', '4194304K'));
echo ini_get('xhprof.max_nodes'), ' ', ini_get('xhprof.sampling_interval'), "\n";
xhprof_sample_enable();
var_dump(is_array(xhprof_sample_disable()));
ini_set('xhprof.max_nodes', '0x20');
xhprof_enable();
for ($i = 0; $i < 40; $i++) {
    eval("function f$i(): void {} f$i();");
}
echo array_sum(array_column(xhprof_disable(), 'ct')) > 80 ? 'counted' : 'lost', "\n";
?>
--EXPECT--
bool(true)
bool(false)
bool(false)
1M 0
bool(true)
counted
