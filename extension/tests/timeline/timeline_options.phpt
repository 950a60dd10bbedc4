--TEST--
The threshold comes from the option, else from the setting; wrong ones are refused
--INI--
xhprof.timeline_threshold=70
--FILE--
<?php
require __DIR__ . '/../timeline.inc';

$asked = static function (?array $options): void {
    xhprof_enable(XHPROF_FLAGS_TIMELINE, $options);
    xhprof_disable();
    echo xhprof_test_timeline()[0]['asked_threshold'], "\n";
};
$asked(null);
$asked(['timeline_threshold' => 0]);
$asked(['timeline_threshold' => 1500]);
ini_set('xhprof.timeline_threshold', '3');
$asked(null);
foreach (['5', -1, 3600000001, null] as $wrong) {
    xhprof_test_throws(static fn () => xhprof_enable(XHPROF_FLAGS_TIMELINE, ['timeline_threshold' => $wrong]));
}
var_dump(ini_set('xhprof.timeline_threshold', '-1'), ini_set('xhprof.timeline_max_calls', '10'));
// Without the flag there is none.
$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);
xhprof_enable(0, ['timeline_threshold' => 1]);
xhprof_disable();
echo json_encode(xhprof_test_run_parts($folder, xhprof_save() . '.xhprof')), "\n";
xhprof_test_remove($folder);
?>
--EXPECTF--
70000
0
1500000
3000
TypeError: xhprof_enable(): Option "timeline_threshold" must be of type int, string given
ValueError: xhprof_enable(): Option "timeline_threshold" must be between 0 and 3600000000
ValueError: xhprof_enable(): Option "timeline_threshold" must be between 0 and 3600000000
TypeError: xhprof_enable(): Option "timeline_threshold" must be of type int, null given

Warning: xhprof.timeline_threshold must be between 0 and 3600000000 in %s on line %d

Warning: xhprof.timeline_max_calls must be between 1000 and 100000000 in %s on line %d
bool(false)
bool(false)
["meta","tree"]
