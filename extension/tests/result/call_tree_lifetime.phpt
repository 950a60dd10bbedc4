--TEST--
xhprof_call_tree(): null before any profile is stopped and while one runs, else the last stopped one
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function one(): void { static $n; $n++; }
function two(): void { one(); }

var_dump(xhprof_call_tree());
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
one();
var_dump(xhprof_call_tree());
xhprof_disable();
xhprof_test_tree(xhprof_call_tree());
var_dump(xhprof_disable());
xhprof_test_tree(xhprof_call_tree());
$tree = xhprof_call_tree();
$copy = $tree;
$tree['names'] = [];
echo xhprof_call_tree() === $copy ? 'the same again' : 'changed', "\n";

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
two();
var_dump(xhprof_call_tree());
xhprof_disable();
xhprof_test_tree(xhprof_call_tree());

// A sampling forgets it.
xhprof_sample_enable();
var_dump(xhprof_call_tree());
xhprof_sample_disable();
$tree = xhprof_call_tree();
echo array_search('two', $tree['names'], true) === false && $tree['depth'][0] === 0 ? 'samples' : json_encode($tree), "\n";
?>
--EXPECT--
NULL
NULL
main() ct=1
  one ct=1
NULL
main() ct=1
  one ct=1
the same again
NULL
main() ct=1
  two ct=1
    one ct=1
NULL
samples
