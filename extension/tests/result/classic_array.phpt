--TEST--
The classic array: its edges, their figures, each an array of its own
--FILE--
<?php
require __DIR__ . '/../lib.inc';

echo "The classic array: edges, counts, integers in the order ct, wt:\n";

function bar(int $x): int { return $x; }

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

echo "A session without any call holds main() and, with builtins, xhprof_disable:\n";

xhprof_enable();
xhprof_test_profile(xhprof_disable());

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
xhprof_test_profile(xhprof_disable());
xhprof_test_tree(xhprof_call_tree());

echo "xhprof_disable(): edges with the same figures are arrays of their own to the program:\n";

for ($i = 0; $i < 2000; $i++) {
    eval("function function_number_$i() { }");
}

foreach ([0, XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY] as $flags) {
    xhprof_enable($flags | XHPROF_FLAGS_NO_BUILTINS);
    for ($i = 0; $i < 2000; $i++) {
        "function_number_$i"();
    }
    $edges = xhprof_disable();
    xhprof_test_check_invariants($edges, xhprof_call_tree(), $flags | XHPROF_FLAGS_NO_BUILTINS);
    $before = serialize($edges);
    $copy = unserialize($before);
    var_dump($copy === $edges);

    // One is written to, and gets more keys than the engine made room for.
    $edges['main()==>function_number_7']['ct'] = 5;
    for ($i = 0; $i < 20; $i++) {
        $edges['main()==>function_number_8']["key$i"] = $i;
    }
    unset($edges['main()==>function_number_9']['wt']);
    $copy['main()==>function_number_7']['ct'] = 5;
    for ($i = 0; $i < 20; $i++) {
        $copy['main()==>function_number_8']["key$i"] = $i;
    }
    unset($copy['main()==>function_number_9']['wt']);
    var_dump($copy === $edges, isset($edges['main()==>function_number_10']['key0']));

    // All are, by reference and by value.
    foreach ($edges as $key => &$figures) {
        $figures['key'] = $key;
    }
    unset($figures);
    $wrong = 0;
    foreach ($edges as $key => $figures) {
        $wrong += $figures['key'] !== $key;
        ksort($edges[$key]);
    }
    var_dump($wrong, array_keys($edges['main()==>function_number_11']));
    unset($edges, $copy);
    gc_collect_cycles();
}
?>
--EXPECT--
The classic array: edges, counts, integers in the order ct, wt:
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
A session without any call holds main() and, with builtins, xhprof_disable:
main(): ct=1
main()==>xhprof_disable: ct=1
invariants: ok
main(): ct=1
invariants: ok
main() ct=1
xhprof_disable(): edges with the same figures are arrays of their own to the program:
invariants: ok
bool(true)
bool(true)
bool(false)
int(0)
array(3) {
  [0]=>
  string(2) "ct"
  [1]=>
  string(3) "key"
  [2]=>
  string(2) "wt"
}
invariants: ok
bool(true)
bool(true)
bool(false)
int(0)
array(6) {
  [0]=>
  string(3) "cpu"
  [1]=>
  string(2) "ct"
  [2]=>
  string(3) "key"
  [3]=>
  string(2) "mu"
  [4]=>
  string(3) "pmu"
  [5]=>
  string(2) "wt"
}
