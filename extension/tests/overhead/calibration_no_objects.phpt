--TEST--
The measurement of the profiler's own cost leaves no object: the program's are numbered as without it
--FILE--
<?php
$all = XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY;
foreach ([0, $all, XHPROF_FLAGS_ALLOC] as $flags) {
    xhprof_enable($flags);
    xhprof_disable();
    $objects = [new stdClass(), new stdClass(), new stdClass()];
    echo implode(' ', array_map('spl_object_id', $objects)), "\n";
    unset($objects[2], $objects[1], $objects[0]);
}
?>
--EXPECT--
1 2 3
1 2 3
1 2 3
