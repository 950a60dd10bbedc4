--TEST--
xhprof.save_if: runs are saved by conditions, each with a budget per minute
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';
require __DIR__ . '/../aggregate.inc';

$spans = '<?php foreach (["a" => 0, "slow" => 2_100_000, "b" => 0] as $name => $us) { xhprof_begin_span("job $name"); usleep($us); xhprof_end_span(); }';
$files = '<?php for ($i = 0; $i < 5; $i++) { file_get_contents(__FILE__); }';
$many = '<?php for ($i = 0; $i < 5; $i++) { xhprof_begin_span("job $i"); xhprof_end_span(); }';
// Bounds are far from what a busy machine takes.
$ways = [
    'slower' => [$spans, ['save_if' => 'slower=2000'], []],
    'route' => [$spans, ['save_if' => 'route=job [ab]'], []],
    'both' => [$spans, ['save_if' => 'route=job*&slower=2000'], []],
    'one of them' => [$spans, ['save_if' => 'slower=2000, route=*b'], []],
    'with save_slower_than_ms' => [$spans, ['save_if' => 'route=job *', 'save_slower_than_ms' => 2000], []],
    'budget' => [$many, ['save_if' => 'route=job *@3'], []],
    'two budgets' => [$many, ['save_if' => 'route=job *@3, slower=0&route=job*@1'], []],
    'no budget' => [$many, ['save_if' => 'route=job *@0'], []],
    'operations' => [$files, ['save_if' => 'file=4'], []],
    'not so many' => [$files, ['save_if' => 'file=5, operations=20, sql=0'], []],
    'sampled' => [$files, ['save_if' => 'file=0, operations=0', 'mode' => 'sample'], []],
    'failed' => ['<?php ini_set("display_errors", "0"); ini_set("log_errors", "0"); undefined();', ['save_if' => 'failed'], []],
    'not failed' => ['<?php', ['save_if' => 'failed'], []],
    'peak' => ['<?php $x = str_repeat("x", 20 << 20);', ['save_if' => 'peak=19M'], []],
    'lower peak' => ['<?php', ['save_if' => 'peak=19M'], []],
    'triggered' => ['<?php', ['save_if' => 'failed@0', 'start_with_request' => 'trigger'], ['XHPROF_TRIGGER' => '1']],
    'changed' => ['<?php ini_set("xhprof.save_if", "slower=0");', ['save_if' => 'failed'], []],
    'refused' => ['<?php var_dump(@ini_set("xhprof.save_if", "slow")); ini_set("xhprof.save_if", "failed, peak=1T");', ['save_if' => 'failed'], []],
];
foreach ($ways as $label => [$code, $ini, $env]) {
    // Quoted, as in php.ini.
    $child = xhprof_test_auto($code, ['save_if' => "\"$ini[save_if]\""] + $ini, $env + xhprof_test_clock());
    $names = array_map(static fn (array $run): string => ($run['name'] ?? '-') . ' (' . ($run['saved_if'] ?? 'without') . ')', $child['runs']);
    sort($names);
    echo "$label: ", preg_replace('/ in \S+ on line \d+/', '', str_replace("\n", ' ', $child['out'] . $child['err'])), implode(', ', $names) ?: 'no run', "\n";
}
?>
--EXPECT--
slower: job slow (slower=2000)
route: job a (route=job [ab]), job b (route=job [ab])
both: job slow (route=job*&slower=2000)
one of them: job b (route=*b), job slow (slower=2000)
with save_slower_than_ms: job slow (route=job *)
budget: job 0 (route=job *), job 1 (route=job *), job 2 (route=job *)
two budgets: job 0 (route=job *), job 1 (route=job *), job 2 (route=job *), job 3 (slower=0&route=job*)
no budget: no run
operations: - (file=4)
not so many: no run
sampled: - (file=0)
failed: - (failed)
not failed: no run
peak: - (peak=19M)
lower peak: no run
triggered: - (without)
changed: - (slower=0)
refused: bool(false)  Warning: xhprof.save_if: "peak=1T" is no condition: "peak" needs bytes, as in peak=64M no run
