--TEST--
Corrected times: a function that is called often has less of them than raw ones, one that is called once nearly the same
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(int $n): int { return $n + 1; }

function often(): int
{
    $x = 0;
    for ($i = 0; $i < 50_000; $i++) {
        $x += leaf($i);
    }
    return $x;
}

function often_internal(): int
{
    $x = 0;
    for ($i = 0; $i < 50_000; $i++) {
        $x += mt_getrandmax();
    }
    return $x;
}

function once(): int
{
    $x = 0;
    for ($i = 0; $i < 1_000_000; $i++) {
        $x += $i % 7;
    }
    usleep(1000);
    return $x;
}

xhprof_test_alike([0, XHPROF_FLAGS_CPU, XHPROF_FLAGS_MEMORY, XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY], static function (int $flags): void {
    xhprof_enable($flags);
    often();
    often_internal();
    once();
    xhprof_disable();
    $tree = xhprof_call_tree();
    foreach ($tree['corrected'] as $metric => $column) {
        foreach ($tree['fn'] as $i => $fn) {
            $name = $tree['names'][$fn];
            $raw = $tree['self'][$metric][$i];
            if (str_contains($name, 'often') || $name === 'leaf' || $name === 'mt_getrandmax') {
                echo "$name, $metric: ", $column[$i] < $raw ? 'less' : "$column[$i] of $raw", "\n";
            } elseif ($name === 'once') {
                // It calls one function: no more than that call's cost is taken off.
                echo "$name, $metric: ", $raw - $column[$i] < 0.01 * $raw ? 'as it was' : "$column[$i] of $raw", "\n";
            }
        }
    }
});
?>
--EXPECT--
-- 0
often, wt: less
leaf, wt: less
often_internal, wt: less
mt_getrandmax, wt: less
once, wt: as it was
-- 2
often, wt: less
leaf, wt: less
often_internal, wt: less
mt_getrandmax, wt: less
once, wt: as it was
often, cpu: less
leaf, cpu: less
often_internal, cpu: less
mt_getrandmax, cpu: less
once, cpu: as it was
-- 4: as 0
-- 6: as 2
