--TEST--
xhprof_disable() and xhprof_sample_disable() are null when nothing runs
--FILE--
<?php
var_dump(xhprof_disable());
var_dump(xhprof_sample_disable());
xhprof_enable();
var_dump(is_array(xhprof_disable()));
var_dump(xhprof_disable());
var_dump(xhprof_sample_disable());
?>
--EXPECT--
NULL
NULL
bool(true)
NULL
NULL
