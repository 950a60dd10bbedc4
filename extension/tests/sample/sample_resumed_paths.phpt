--TEST--
Sampling: generators that delegate and fibers that are resumed have the paths of PHP's own backtrace, as in exact profiles
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../delegating.inc';

xhprof_enable();
program();
xhprof_disable();
$exact = paths_of(xhprof_call_tree());

// Each place is met sooner or later; none is met that is not there.
Where::$microseconds = 2500;
$sampled = [];
for ($i = 0; $i < 50 && array_diff_key($exact, $sampled); $i++) {
    xhprof_sample_enable(['interval' => 1000]);
    program();
    xhprof_sample_disable();
    $sampled += paths_of(xhprof_call_tree());
}
foreach (array_diff_key($exact, $sampled) as $path => $_) {
    echo "not in samples: $path\n";
}
foreach (array_diff_key($sampled, $exact) as $path => $_) {
    echo "in samples only: $path\n";
}
foreach (array_diff_key($sampled, Where::$paths) as $path => $_) {
    echo "not in the backtrace: $path\n";
}
echo count($sampled), " paths\n";
?>
--EXPECT--
75 paths
