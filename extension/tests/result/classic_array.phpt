--TEST--
The classic array: edges, counts, integers in the order ct, wt
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function bar(int $x): int
{
    return $x;
}

function foo(string $s): string
{
    for ($i = 0; $i < 3; $i++) {
        bar($i);
    }
    return strrev($s);
}

xhprof_enable();
foo('abc');
foo('def');
bar(1);
$edges = xhprof_disable();

xhprof_test_edges($edges);
echo json_encode(array_keys($edges['foo==>bar'])), "\n";
echo get_debug_type($edges['main()']['wt']), "\n";
xhprof_test_check_invariants($edges, xhprof_call_tree());
echo json_encode(unserialize(serialize($edges), ['allowed_classes' => false]) === $edges), "\n";
?>
--EXPECT--
foo==>bar: ct=6
foo==>strrev: ct=2
main(): ct=1
main()==>bar: ct=1
main()==>foo: ct=2
main()==>xhprof_disable: ct=1
["ct","wt"]
int
invariants: ok
true
