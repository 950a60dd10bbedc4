--TEST--
Endless recursion ends at memory_limit, and still gives a profile with every call in it
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function endless(int $n): int
{
    $GLOBALS['depth'] = $n;
    // It is this that meets the limit: without room for one more frame PHP can run no shutdown function.
    $s = str_repeat('x', 3000 + $n % 2);
    return endless($n + 1) + strlen($s);
}

if (isset($argv[1])) {
    register_shutdown_function(static function (): void {
        ini_set('memory_limit', '2G');
        $edges = xhprof_disable();
        $calls = xhprof_test_calls($edges, 'endless');
        $depth = $GLOBALS['depth'];
        echo $depth > 1000 ? 'deep' : "only $depth deep", ', ', abs($calls - $depth) < 2 ? 'all there' : "$calls of $depth", "\n";
        xhprof_test_check_invariants($edges, xhprof_call_tree());
    });
    xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
    endless(1);
    exit(1);
}
$child = xhprof_test_child(__FILE__, ['child'], ['memory_limit' => '32M']);
$child['out'] = preg_replace('/^.*Allowed memory size.*\R/m', "memory_limit\n", ltrim($child['out']));
xhprof_test_show($child, 255);
?>
--EXPECT--
memory_limit
deep, all there
invariants: ok
