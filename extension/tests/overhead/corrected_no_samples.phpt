--TEST--
A sampling has no corrected columns; the profile before it is gone, the one after it has them
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--INI--
xhprof.sampling_interval=1000
--FILE--
<?php
function leaf(): int { static $n; return ++$n; }

xhprof_enable();
leaf();
xhprof_disable();
echo implode(' ', array_keys(xhprof_call_tree()['corrected'])), "\n";
xhprof_sample_enable();
usleep(20_000);
xhprof_sample_disable();
var_dump(isset(xhprof_call_tree()['corrected']));
xhprof_enable();
leaf();
xhprof_disable();
echo implode(' ', array_keys(xhprof_call_tree()['corrected'])), "\n";
?>
--EXPECT--
wt
bool(false)
wt
