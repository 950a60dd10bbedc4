--TEST--
xhprof_call_tree(): null before any profile is stopped and while one runs, else the last stopped one
--FILE--
<?php
require __DIR__ . '/lib.inc';

function one(): void
{
    static $n;
    $n++;
}

function two(): void
{
    one();
}

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

// Sampling is no profile: whatever becomes of the tree, it is no half of one.
xhprof_sample_enable();
xhprof_sample_disable();
$tree = xhprof_call_tree();
echo $tree === null || count($tree['fn']) === 3 ? 'ok' : 'half a tree', "\n";
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
ok
