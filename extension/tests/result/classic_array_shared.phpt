--TEST--
xhprof_disable(): edges with the same figures are arrays of their own to the program
--FILE--
<?php
require __DIR__ . '/../lib.inc';

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
