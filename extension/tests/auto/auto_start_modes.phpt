--TEST--
Profiles that settings start: when, of what, where they are saved
--FILE--
<?php
require __DIR__ . '/../auto.inc';

echo "xhprof.start_with_request: no, yes, trigger and sampled; how each run says it was started:\n";

$code = '<?php function work() { return strlen("x"); } work(); echo "done\n";';
$ways = [
    'no' => [['start_with_request' => 'no'], []],
    'no, triggered' => [['start_with_request' => 'no'], ['XHPROF_TRIGGER' => '1']],
    'yes' => [[], []],
    '1' => [['start_with_request' => '1'], []],
    'yes, triggered' => [[], ['XHPROF_TRIGGER' => '1']],
    'trigger' => [['start_with_request' => 'trigger'], []],
    'trigger, ""' => [['start_with_request' => 'trigger'], ['XHPROF_TRIGGER' => '']],
    'trigger, 0' => [['start_with_request' => 'trigger'], ['XHPROF_TRIGGER' => '0']],
    'trigger, 1' => [['start_with_request' => 'trigger'], ['XHPROF_TRIGGER' => '1']],
    'trigger, any word' => [['start_with_request' => 'trigger'], ['XHPROF_TRIGGER' => '0x']],
    'trigger, in spite of a secret' => [['start_with_request' => 'trigger', 'trigger_value' => 's'], ['XHPROF_TRIGGER' => '1']],
    'sampled 0' => [['start_with_request' => 'sampled', 'sample_rate' => 0], []],
    'sampled 1' => [['start_with_request' => 'sampled', 'sample_rate' => 1], []],
    'sampled 0, triggered' => [['start_with_request' => 'sampled', 'sample_rate' => 0], ['XHPROF_TRIGGER' => '1']],
];
foreach ($ways as $label => [$ini, $env]) {
    $child = xhprof_test_auto($code, $ini, $env);
    echo $label, ': ';
    $child['out'] === "done\n" && $child['err'] === '' && $child['code'] === 0 || xhprof_test_show($child);
    xhprof_test_show_runs($child['runs'], 'start', 'mode', 'sample_rate', 'source', 'ended_by', 'parent');
    foreach ($child['runs'] as $run) {
        isset($run['edges']['main()==>work']) || print("work() is missing\n");
    }
}

$run = xhprof_test_auto($code, ['source' => 'cron-1'])['runs'][0];
echo json_encode($run['parts']), ' ', basename($run['command']), ' ', $run['route'] === basename(dirname($run['command'])) . '/program.php'
    ? 'route' : $run['route'], ' ', $run['source'], "\n";

echo "xhprof.flags and xhprof.mode: what automatic runs record; a triggered one where others are aggregated:\n";

$code = '<?php function work() { return strlen(str_repeat("x", 1000)); } work(); usleep(3000);';
$ways = [
    'none' => [[], []],
    'words' => [['flags' => '"cpu, memory"'], []],
    'one number' => [['flags' => 7], []],
    'no_builtins' => [['flags' => 'no_builtins'], []],
    'alloc' => [['flags' => 'alloc'], []],
    'mode alloc' => [['mode' => 'alloc'], []],
    'mode alloc and flags' => [['mode' => 'alloc', 'flags' => '"memory|no_builtins"'], []],
    'samples' => [['mode' => 'sample', 'flags' => 'cpu', 'sampling_interval' => 500], []],
    'samples by CPU clock' => [['mode' => 'sample', 'sampling_interval' => 500, 'sampling_clock' => 'cpu', 'sampling_lines' => 1], []],
    'aggregate, triggered' => [['mode' => 'aggregate', 'start_with_request' => 'sampled', 'sample_rate' => 0, 'flags' => 'cpu'], ['XHPROF_TRIGGER' => '1']],
    'aggregate for all, triggered' => [['mode' => 'aggregate', 'flags' => 'cpu'], ['XHPROF_TRIGGER' => '1']],
];
foreach ($ways as $label => [$ini, $env]) {
    $child = xhprof_test_auto($code, $ini, $env);
    echo "$label: $child[out]$child[err]", count($child['runs']), ' ';
    $run = $child['runs'][0] ?? [];
    echo $run['start'] ?? '', ' ', $run['mode'] ?? '', ' ', json_encode($run['flag_names'] ?? null), ' ', json_encode(array_keys($run['edges']['main()'] ?? [])), ' ',
        isset($run['sampling']) ? '-' : (isset($run['edges']['work==>strlen']) || isset($run['edges']['work==>str_repeat']) ? 'builtins' : 'no builtins'), ' ', implode(' ', $run['parts'] ?? []), ' ',
        $run['sample_interval_us'] ?? '-', ' ', $run['sampling']['clock'] ?? '-', "\n";
}

echo "Where profiles that settings start are saved: xhprof.output_dir as it is when the profile begins, XHPROF_OUTPUT_DIR:\n";

$other = xhprof_test_folder();
$count = static fn (string $folder): int => count(xhprof_test_run_names($folder));
$ways = [
    'changed by the program' => ["<?php ini_set('xhprof.output_dir', '$other');", [], []],
    'changed for a span' => ["<?php ini_set('xhprof.output_dir', '$other'); xhprof_begin_span('x'); xhprof_end_span();", ['start_with_request' => 'yes'], []],
    'changed within a span' => ["<?php xhprof_begin_span('x'); ini_set('xhprof.output_dir', '$other'); xhprof_end_span();", ['start_with_request' => 'yes'], []],
    'the setting is first' => ['<?php', [], ['XHPROF_OUTPUT_DIR' => $other]],
    'then the environment' => ['<?php', ['output_dir' => ''], ['XHPROF_OUTPUT_DIR' => $other]],
    'changed folder' => ["<?php chdir('$other');", [], []],
    'a link' => ['<?php', ['output_dir' => "$other/link"], []],
    'open_basedir set by the program' => ["<?php ini_set('open_basedir', '$other');", [], []],
];
mkdir("$other/real");
symlink("$other/real", "$other/link");
foreach ($ways as $label => [$code, $ini, $env]) {
    $child = xhprof_test_auto($code, $ini, $env);
    echo "$label: ", $child['out'], $child['err'], $count($child['folder']), ' ', $count($other), ' ', $count("$other/real"), "\n";
    array_map(unlink(...), array_merge(glob("$other/*.auto.*"), glob("$other/real/*.auto.*")));
}

echo "xhprof.save_slower_than_ms: requests and spans that were faster are not saved, unless somebody has asked for them:\n";

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

echo "xhprof.sample_rate: the share of requests and spans that are profiled; the program's random numbers are its own:\n";

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
xhprof.start_with_request: no, yes, trigger and sampled; how each run says it was started:
no: no run
no, triggered: no run
yes: start="yes" mode="exact" sample_rate=null source="auto" ended_by=null parent=null
1: start="yes" mode="exact" sample_rate=null source="auto" ended_by=null parent=null
yes, triggered: start="yes" mode="exact" sample_rate=null source="auto" ended_by=null parent=null
trigger: no run
trigger, "": no run
trigger, 0: no run
trigger, 1: start="trigger" mode="exact" sample_rate=null source="auto" ended_by=null parent=null
trigger, any word: start="trigger" mode="exact" sample_rate=null source="auto" ended_by=null parent=null
trigger, in spite of a secret: start="trigger" mode="exact" sample_rate=null source="auto" ended_by=null parent=null
sampled 0: no run
sampled 1: start="sampled" mode="exact" sample_rate=1 source="auto" ended_by=null parent=null
sampled 0, triggered: start="trigger" mode="exact" sample_rate=null source="auto" ended_by=null parent=null
["tree"] program.php route cron-1
xhprof.flags and xhprof.mode: what automatic runs record; a triggered one where others are aggregated:
none: 1 yes exact [] ["ct","wt"] builtins tree - -
words: 1 yes exact ["CPU","MEMORY"] ["ct","wt","cpu","mu","pmu"] builtins tree - -
one number: 1 yes exact ["NO_BUILTINS","CPU","MEMORY"] ["ct","wt","cpu","mu","pmu"] no builtins tree - -
no_builtins: 1 yes exact ["NO_BUILTINS"] ["ct","wt"] no builtins tree - -
alloc: 1 yes alloc ["ALLOC"] ["ct","wt"] builtins memory tree - -
mode alloc: 1 yes alloc ["ALLOC"] ["ct","wt"] builtins memory tree - -
mode alloc and flags: 1 yes alloc ["NO_BUILTINS","MEMORY","ALLOC"] ["ct","wt","mu","pmu"] no builtins memory tree - -
samples: 1 yes sample [] ["ct","wt"] - samples tree 500 wall
samples by CPU clock: 1 yes sample ["CPU"] ["ct","cpu"] - samples tree 500 cpu
aggregate, triggered: 1 trigger exact ["CPU"] ["ct","wt","cpu"] builtins tree - -
aggregate for all, triggered: 1 trigger exact ["CPU"] ["ct","wt","cpu"] builtins tree - -
Where profiles that settings start are saved: xhprof.output_dir as it is when the profile begins, XHPROF_OUTPUT_DIR:
changed by the program: 1 0 0
changed for a span: 1 1 0
changed within a span: 2 0 0
the setting is first: 1 0 0
then the environment: 0 1 0
changed folder: 1 0 0
a link: 0 0 1
open_basedir set by the program: 1 0 0
xhprof.save_slower_than_ms: requests and spans that were faster are not saved, unless somebody has asked for them:
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
xhprof.sample_rate: the share of requests and spans that are profiled; the program's random numbers are its own:
spans at 0: ok
spans at 0.01: ok
spans at 0.25: ok
spans at 0.5: ok
spans at 0.99: ok
spans at 1: ok
children at 0.5: ok
