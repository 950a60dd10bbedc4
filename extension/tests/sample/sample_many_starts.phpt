--TEST--
Sampling: ten thousand starts and stops leave no thread and no memory behind
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('/proc/self/smaps', 'sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function mappings(): int { return count((array) @file('/proc/self/maps')); }
function work(int $n): int { return $n > 0 ? work($n - 1) + 1 : 0; }

$threads = xhprof_test_threads();
foreach ([500, 9500] as $times) {
    for ($i = 0; $i < $times; $i++) {
        xhprof_sample_enable(['interval' => 100, 'clock' => $i % 2 ? 'cpu' : 'wall', 'lines' => $i % 3 === 0]);
        work(20);
        $samples = xhprof_sample_disable();
        if (!is_array($samples)) {
            echo "no array\n";
        }
    }
    $kept[] = [xhprof_test_memory()[0], mappings(), xhprof_test_threads()];
}
$sanitized = str_contains((string) @file_get_contents('/proc/self/maps'), 'libasan'); // keeps what is freed
xhprof_test_between('bytes more', $kept[1][0] - $kept[0][0], -100_000_000, ($sanitized ? 200_000 : 2_000) << 10);
xhprof_test_between('mappings more', $kept[1][1] - $kept[0][1], -50, 10);
xhprof_test_between('threads more', $kept[1][2] - $threads, 0, 1); // one that has ended may be listed for a moment
?>
--EXPECT--
bytes more: ok
mappings more: ok
threads more: ok
