--TEST--
Sampling a stack of a hundred thousand frames, and of a million: it is read less often, nothing is lost and the program goes on
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--INI--
memory_limit=-1
--FILE--
<?php
function deep(int $n): int { return $n > 0 ? deep($n - 1) + 1 : works(); }

function works(): int
{
    $r = getrusage();
    $end = $r['ru_utime.tv_sec'] * 1_000_000 + $r['ru_utime.tv_usec'] + 500_000;
    do {
        for ($i = 0, $x = 0; $i < 10_000; $i++) {
            $x ^= $i;
        }
        $r = getrusage();
    } while ($r['ru_utime.tv_sec'] * 1_000_000 + $r['ru_utime.tv_usec'] < $end);
    return 0;
}

ini_set('xhprof.sampling_depth', '2');
foreach ([100_000 => 100, 1_000_000 => 1] as $depth => $least) {
    xhprof_sample_enable(['interval' => 100, 'lines' => true]);
    var_dump(deep($depth));
    $counts = array_count_values(preg_replace(['/@\d+/', '/:\d+$/'], '', xhprof_sample_disable()));
    $tree = xhprof_call_tree();
    $right = array_sum(array_intersect_key($counts, array_flip(['deep==>works', 'works==>getrusage'])));
    echo $right >= $least || $least === 1 ? 'samples' : json_encode($counts), ', ';
    $samples = $tree['samples'];
    echo $samples['taken'] + $samples['overruns'] === count($samples['t']) && $samples['dropped'] === 0
        && array_sum($tree['ct']) === count($samples['t']) ? 'whole' : json_encode(array_slice($samples, -4)), "\n";
    unset($tree, $samples);
}
?>
--EXPECT--
int(100000)
samples, whole
int(1000000)
samples, whole
