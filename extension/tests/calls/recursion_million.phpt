--TEST--
1,000,000-deep recursion, profiled to the last call
--SKIPIF--
<?php
require __DIR__ . '/../needs.inc';
xhprof_test_needs('slow tests');
preg_match('/^MemAvailable:\s*(\d+)/m', (string) @file_get_contents('/proc/meminfo'), $m);
if (isset($m[1]) && (int) $m[1] < 3_000_000) {
    die('skip needs 3 GB of memory');
}
?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function down(int $n): int { return $n === 0 ? 0 : 1 + down($n - 1); }

if (isset($argv[1])) {
    $start = getrusage();
    xhprof_enable((int) $argv[1]);
    $depth = down((int) $argv[2] - 1);
    $edges = xhprof_disable();
    echo $depth, ' ', xhprof_test_calls($edges, 'down') + xhprof_test_calls($edges, '(truncated)'), "\n";
    // main() pushes the deepest call to the default limit of 1,000,000 nodes, or past it.
    $nodes = count($edges);
    echo $nodes >= $argv[2] - 10 ? "every level\n" : "$nodes edges\n";
    $sum = 0;
    foreach (['main()==>down', 'down==>down@1', 'down@49999==>down@50000', 'down@99900==>down@99901'] as $key) {
        echo $edges[$key]['ct'] ?? 'none', ' ';
    }
    $last = PHP_INT_MAX;
    foreach (['main()==>down', 'down==>down@1', 'down@49999==>down@50000', 'down@99900==>down@99901'] as $key) {
        echo $edges[$key]['wt'] <= $last ? '' : "$key: {$edges[$key]['wt']} ";
        $last = $edges[$key]['wt'];
    }
    unset($edges);
    $tree = xhprof_call_tree();
    echo max($tree['depth']) >= $argv[2] - 10 ? "deep tree\n" : max($tree['depth']) . "\n";
    unset($tree);
    xhprof_enable();
    down(3);
    echo count(xhprof_disable()), " edges\n";
    $end = getrusage();
    $seconds = $end['ru_utime.tv_sec'] - $start['ru_utime.tv_sec'] + $end['ru_stime.tv_sec'] - $start['ru_stime.tv_sec'];
    echo $seconds < 30 ? "in time\n" : "$seconds s of CPU\n";
    exit(0);
}
foreach ([[XHPROF_FLAGS_NO_BUILTINS, 1_000_000], [7, 100_000]] as [$flags, $depth]) {
    $ini = ['memory_limit' => -1, 'zend.max_allowed_stack_size' => -1];
    xhprof_test_show(xhprof_test_child(__FILE__, [(string) $flags, (string) $depth], $ini));
}
?>
--EXPECT--
999999 1000000
every level
1 1 1 1 deep tree
6 edges
in time
99999 100000
every level
1 1 1 1 deep tree
6 edges
in time
