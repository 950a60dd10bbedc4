--TEST--
xhprof.clock with a value it does not know: sessions work all the same
--FILE--
<?php
require __DIR__ . '/../lib.inc';

if (isset($argv[1])) {
    xhprof_enable();
    usleep(20_000);
    $edges = xhprof_disable();
    xhprof_test_between('usleep', $edges['main()==>usleep']['wt'], 19_990, 10_000_000);
    exit(0);
}
foreach (['sundial', '', '0'] as $clock) {
    $child = xhprof_test_child(__FILE__, ['child'], ['xhprof.clock' => $clock]);
    echo $child['code'], ' ', str_ends_with($child['out'], "usleep: ok\n") ? 'ok' : $child['out'] . $child['err'], "\n";
}
?>
--EXPECT--
0 ok
0 ok
0 ok
