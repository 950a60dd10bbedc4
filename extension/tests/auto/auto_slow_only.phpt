--TEST--
xhprof.save_slower_than_ms: requests and spans that were faster are not saved, unless somebody has asked for them
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';

$fast = '<?php echo "x";';
$slow = '<?php usleep(150_000);';
// Bounds are far from what a busy machine takes.
$ways = [
    'fast' => [$fast, ['save_slower_than_ms' => 10_000], []],
    'slow' => [$slow, ['save_slower_than_ms' => 100], []],
    'no bound' => [$fast, ['save_slower_than_ms' => 0], []],
    'triggered' => [$fast, ['save_slower_than_ms' => 10_000, 'start_with_request' => 'trigger'], ['XHPROF_TRIGGER' => '1']],
    'sampled and triggered' => [$fast, ['save_slower_than_ms' => 10_000, 'start_with_request' => 'sampled'], ['XHPROF_TRIGGER' => '1']],
    'sampled' => [$fast, ['save_slower_than_ms' => 10_000, 'start_with_request' => 'sampled', 'sample_rate' => 1], []],
    'changed' => ['<?php ini_set("xhprof.save_slower_than_ms", "0");', ['save_slower_than_ms' => 10_000], []],
    'changed up' => ['<?php ini_set("xhprof.save_slower_than_ms", "10000");', ['save_slower_than_ms' => 0], []],
    'spans' => ['<?php foreach ([0, 2_100_000, 0] as $us) { xhprof_begin_span("s$us"); usleep($us); echo strlen((string) xhprof_end_span()), "\n"; }', ['save_slower_than_ms' => 2000, 'start_with_request' => 'yes'], []],
    'by wall time, not CPU time' => [$slow, ['save_slower_than_ms' => 100, 'mode' => 'sample', 'sampling_clock' => 'cpu'], []],
];
foreach ($ways as $label => [$code, $ini, $env]) {
    $child = xhprof_test_auto($code, $ini, $env);
    echo "$label: ", str_replace("\n", ' ', $child['out']), $child['err'];
    xhprof_test_show_runs($child['runs'], 'start', 'name');
}
?>
--EXPECT--
fast: xno run
slow: start="yes" name=null
no bound: xstart="yes" name=null
triggered: xstart="trigger" name=null
sampled and triggered: xstart="trigger" name=null
sampled: xno run
changed: start="yes" name=null
changed up: no run
spans: 0 32 0 start="span" name="s2100000"
by wall time, not CPU time: start="yes" name=null
