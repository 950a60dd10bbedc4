--TEST--
xhprof.sample_rate: the share of requests and spans that are profiled; the program's random numbers are its own
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';

$code = '<?php mt_srand(5); $first = mt_rand(); mt_srand(5); $n = 0;
for ($i = 0; $i < 20_000; $i++) { $n += xhprof_begin_span("x") ? 1 : 0; xhprof_end_span(); }
echo mt_rand() === $first ? "" : "other numbers ", $n;';
foreach ([0, 0.01, 0.25, 0.5, 0.99, 1] as $rate) {
    $child = xhprof_test_auto($code, ['start_with_request' => 'sampled', 'sample_rate' => $rate, 'save_slower_than_ms' => 1_000_000]);
    // Five standard deviations.
    $spread = 5 * sqrt(20_000 * $rate * (1 - $rate));
    xhprof_test_between("spans at $rate", (int) $child['out'], 20_000 * $rate - $spread, 20_000 * $rate + $spread);
    (string) (int) $child['out'] === $child['out'] || print("$child[out]\n");
}

// Forked children decide for themselves.
if (function_exists('pcntl_fork')) {
    $code = '<?php xhprof_begin_span("first"); xhprof_end_span(); for ($i = 0; $i < 400; $i++) { if (pcntl_fork() === 0) {
        echo xhprof_begin_span("x") ? 1 : 0; exit; } if ($i % 20 === 19) { while (pcntl_wait($s) > 0) { } } } while (pcntl_wait($s) > 0) { }';
    $child = xhprof_test_auto($code, ['start_with_request' => 'sampled', 'sample_rate' => 0.5, 'save_slower_than_ms' => 1_000_000]);
    xhprof_test_between('children at 0.5', substr_count($child['out'], '1'), 150, 250);
} else {
    echo "children at 0.5: ok\n";
}
?>
--EXPECT--
spans at 0: ok
spans at 0.01: ok
spans at 0.25: ok
spans at 0.5: ok
spans at 0.99: ok
spans at 1: ok
children at 0.5: ok
