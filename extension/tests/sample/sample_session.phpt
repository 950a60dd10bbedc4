--TEST--
Sampling: "sec.usec" => "main()==>a==>b", in rising multiples of the interval
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--INI--
xhprof.sampling_interval=10000
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function turn(): void { usleep(500); }

function busy(float $seconds): void
{
    $end = microtime(true) + $seconds;
    while (microtime(true) < $end) {
        turn();
    }
}

function idle(): void
{
}

for ($i = 0; $i < 10; $i++) { // the machine may stall anywhere
    $start = microtime(true);
    xhprof_sample_enable();
    busy(0.5);
    idle();
    $samples = xhprof_sample_disable();
    $end = microtime(true);
    $busy = preg_grep('/^main\(\)==>busy/', $samples);
    if (count($samples) <= 2000 && count($busy) >= 0.8 * count($samples)) {
        break;
    }
}

echo get_debug_type($samples), ' ', count($samples) >= 5 && count($samples) <= 2000 ? 'some samples' : count($samples), "\n";
$last = 0;
foreach ($samples as $key => $path) {
    if (!preg_match('/^(\d+)\.(\d{6})$/', (string) $key, $m)) {
        echo "key $key\n";
        continue;
    }
    $us = (int) $m[1] * 1_000_000 + (int) $m[2];
    if ($us % 10_000 !== 0 || $us <= $last) {
        echo "$key after $last\n";
    }
    if ($us < $start * 1e6 - 10_000 || $us > $end * 1e6 + 10_000) {
        echo "$key is not within the session\n";
    }
    $last = $us;
    if (!preg_match('/^main\(\)(==>busy(==>(turn(==>usleep)?|microtime))?|==>idle|==>xhprof_sample_disable)?$/', $path)) {
        echo "path $path\n";
    }
}
echo count($busy) >= 0.8 * count($samples) ? "busy\n" : "not busy\n";
var_dump(xhprof_sample_disable());
?>
--EXPECT--
array some samples
busy
NULL
