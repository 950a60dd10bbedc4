--TEST--
xhprof.flags and xhprof.mode: what automatic runs record; a triggered one where others are aggregated
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';

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
?>
--EXPECT--
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