--TEST--
xhprof.start_with_request: no, yes, trigger and sampled; how each run says it was started
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';

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
?>
--EXPECT--
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
