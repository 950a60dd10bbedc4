--TEST--
A timeline keeps every call, however short, as long as there is room
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../timeline.inc';

function short(): void
{
}

function page(): void
{
    for ($i = 0; $i < 151; $i++) {
        short();
    }
}

xhprof_enable(XHPROF_FLAGS_TIMELINE | XHPROF_FLAGS_NO_BUILTINS);
page();
$edges = xhprof_disable();
[$timeline, $tree] = xhprof_test_timeline();
xhprof_test_check_timeline($timeline, $tree);
$names = array_map(static fn (int $node): string => $tree['names'][$tree['fn'][$node]], $timeline['node']);
echo $edges['page==>short']['ct'], ' ', array_count_values($names)['short'], "\n";
echo $timeline['asked_threshold'], ' ', $timeline['threshold'], ' ', $timeline['raised'], "\n";
?>
--EXPECT--
timeline: ok
151 151
0 0 0
