--TEST--
A timeline has at most xhprof.timeline_max_calls calls: the threshold rises, and the end is there
--INI--
xhprof.timeline_max_calls=1000
xhprof.timeline_threshold=0
--FILE--
<?php
require __DIR__ . '/../timeline.inc';

function short(): void
{
}

function last(): void { usleep(20000); }

xhprof_enable(XHPROF_FLAGS_TIMELINE | XHPROF_FLAGS_NO_BUILTINS);
for ($i = 0; $i < 20000; $i++) {
    short();
}
last();
$edges = xhprof_disable();
echo $edges['main()==>short']['ct'], ' ', $edges['main()==>last']['ct'], "\n";
[$timeline, $tree] = xhprof_test_timeline();
xhprof_test_check_timeline($timeline, $tree);
$count = count($timeline['t']);
echo $count <= 1000 ? "bounded\n" : "$count calls\n";
echo $timeline['asked_threshold'], ' ', $timeline['raised'] > 0 && $timeline['threshold'] > 0 ? 'raised' : 'not raised', "\n";
echo $tree['names'][$tree['fn'][$timeline['node'][$count - 1]]], "\n";
?>
--EXPECT--
20000 1
timeline: ok
bounded
0 raised
last
