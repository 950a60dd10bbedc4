--TEST--
xhprof_ignore_request(): what settings have started leaves no run and is counted nowhere; what the program starts itself is not touched
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock'); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

// Without a profile there is nothing to drop.
var_dump(xhprof_ignore_request());
foreach (['exact', 'sample', 'alloc'] as $mode) {
    $child = xhprof_test_auto('<?php function work() { return strrev("x"); } work(); var_dump(xhprof_ignore_request());
        work(); var_dump(xhprof_ignore_request());', ['mode' => $mode]);
    echo "$mode: ", str_replace("\n", ' ', $child['out']), $child['err'], count($child['runs']), " runs\n";
}
$child = xhprof_test_aggregate('work(2); var_dump(xhprof_ignore_request()); work(2);');
echo 'aggregate: ', trim($child['out']), $child['err'], ' ', count($child['runs']), ' runs, ',
    json_encode(array_values(array_diff(scandir($child['folder']), ['.', '..', 'clock']))), "\n";

// However the program ends.
foreach (['exit(3);', 'throw new Exception("x");', 'posix_kill(getmypid(), 15);'] as $end) {
    $child = xhprof_test_auto("<?php ini_set('display_errors', '0'); ini_set('log_errors', '0'); xhprof_ignore_request(); $end");
    echo count($child['runs']), ' runs';
}
echo "\n";

// The program's own profile, and what begins later.
$child = xhprof_test_auto('<?php xhprof_ignore_request(); xhprof_enable(); strrev("x"); $data = xhprof_disable();
    echo isset($data["main()==>strrev"]) ? "own " : "lost "; xhprof_save("mine"); xhprof_begin_span("job");
    var_dump(xhprof_ignore_request()); strrev("y"); xhprof_end_span();');
echo $child['out'];
xhprof_test_show_runs($child['runs'], 'source', 'name');
$child = xhprof_test_auto('<?php xhprof_enable(); var_dump(xhprof_ignore_request()); var_dump(is_array(xhprof_disable()));');
echo str_replace("\n", ' ', $child['out']), count($child['runs']), " run of before\n";
?>
--EXPECT--
bool(false)
exact: bool(true) bool(false) 0 runs
sample: bool(true) bool(false) 0 runs
alloc: bool(true) bool(false) 0 runs
aggregate: bool(true) 0 runs, []
0 runs0 runs0 runs
own bool(false)
source="mine" name=null
source="auto" name="job"
bool(false) bool(true) 1 run of before
