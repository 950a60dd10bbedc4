--TEST--
Unknown flag bits raise a warning and are otherwise ignored
--FILE--
<?php
require __DIR__ . '/../lib.inc';

xhprof_enable(1 << 20);
$edges = xhprof_disable();
xhprof_test_edges($edges);
echo json_encode(array_keys($edges['main()'])), "\n";

xhprof_enable(32 | XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY);
$edges = xhprof_disable();
echo json_encode(array_keys($edges['main()'])), "\n";

xhprof_enable(-1);
$edges = xhprof_disable();
xhprof_test_edges($edges);
echo json_encode(array_keys($edges['main()'])), "\n";

set_error_handler(static function (int $type, string $message): bool {
    echo $type === E_WARNING ? 'E_WARNING' : $type, "\n";
    return true;
});
xhprof_enable(32);
restore_error_handler();
echo json_encode(is_array(xhprof_disable())), "\n";
?>
--EXPECTF--
Warning: xhprof_enable(): %s in %sflags_unknown_bits.php on line 4
main(): ct=1
main()==>xhprof_disable: ct=1
["ct","wt"]

Warning: xhprof_enable(): %s in %sflags_unknown_bits.php on line 9
["ct","wt","cpu","mu","pmu"]

Warning: xhprof_enable(): %s in %sflags_unknown_bits.php on line 13
main(): ct=1
["ct","wt","cpu","mu","pmu"]
E_WARNING
true
