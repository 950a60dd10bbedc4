--TEST--
There are corrected columns whichever way hooks are armed, and whatever is loaded beside
--FILE--
<?php
require __DIR__ . '/../lib.inc';

isset($argv[1]) || exit(xhprof_test_every_way(__FILE__));

function leaf(): int { static $n; return ++$n; }

function calls(): void
{
    for ($i = 0; $i < 20_000; $i++) {
        leaf();
    }
}

foreach ([0, XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY, XHPROF_FLAGS_NO_BUILTINS] as $flags) {
    xhprof_enable($flags);
    calls();
    xhprof_disable();
    $tree = xhprof_call_tree();
    echo $flags, ': ', implode(' ', array_keys($tree['corrected'] ?? [])), ', ',
        array_sum($tree['corrected']['wt']) < array_sum($tree['self']['wt']) ? 'less' : 'not less', "\n";
}
?>
--EXPECT--
0: wt, less
6: wt cpu, less
1: wt, less
the same every way
