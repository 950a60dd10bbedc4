--TEST--
1,000,000-deep recursion, profiled to the last call
--SKIPIF--
<?php
if (getenv('SKIP_SLOW_TESTS')) {
    die('skip slow test');
}
preg_match('/^MemAvailable:\s*(\d+)/m', (string) @file_get_contents('/proc/meminfo'), $m);
if (isset($m[1]) && (int) $m[1] < 3_000_000) {
    die('skip needs 3 GB of memory');
}
?>
--FILE--
<?php
require __DIR__ . '/lib.inc';

function down(int $n): int
{
    return $n === 0 ? 0 : 1 + down($n - 1);
}

if (isset($argv[1])) {
    $start = getrusage();
    xhprof_enable((int) $argv[1]);
    $depth = down(999_999);
    $edges = xhprof_disable();
    echo $depth, ' ', xhprof_test_calls($edges, 'down') + xhprof_test_calls($edges, '(truncated)'), "\n";
    // main() pushes the deepest call to the default limit of 1,000,000 nodes, or past it.
    $nodes = count($edges);
    echo $nodes >= 999_990 ? "every level\n" : "$nodes edges\n";
    $sum = 0;
    foreach (['main()==>down', 'down==>down@1', 'down@499999==>down@500000', 'down@999000==>down@999001'] as $key) {
        echo $edges[$key]['ct'] ?? 'none', ' ';
    }
    $last = PHP_INT_MAX;
    foreach (['main()==>down', 'down==>down@1', 'down@499999==>down@500000', 'down@999000==>down@999001'] as $key) {
        echo $edges[$key]['wt'] <= $last ? '' : "$key: {$edges[$key]['wt']} ";
        $last = $edges[$key]['wt'];
    }
    unset($edges);
    $tree = xhprof_call_tree();
    echo max($tree['depth']) >= 999_990 ? "deep tree\n" : max($tree['depth']) . "\n";
    unset($tree);
    xhprof_enable();
    down(3);
    echo count(xhprof_disable()), " edges\n";
    $end = getrusage();
    $seconds = $end['ru_utime.tv_sec'] - $start['ru_utime.tv_sec'] + $end['ru_stime.tv_sec'] - $start['ru_stime.tv_sec'];
    echo $seconds < 30 ? "in time\n" : "$seconds s of CPU\n";
    exit(0);
}
foreach ([XHPROF_FLAGS_NO_BUILTINS, XHPROF_FLAGS_NO_BUILTINS | XHPROF_FLAGS_MEMORY] as $flags) {
    xhprof_test_show(xhprof_test_child(__FILE__, [(string) $flags], ['memory_limit' => -1, 'zend.max_allowed_stack_size' => -1]));
}
?>
--EXPECT--
999999 1000000
every level
1 1 1 1 deep tree
6 edges
in time
999999 1000000
every level
1 1 1 1 deep tree
6 edges
in time
