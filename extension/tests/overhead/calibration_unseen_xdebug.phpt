--TEST--
The measuring of the profiler's own cost is not in Xdebug's traces and coverage
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('+xdebug'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function work(): void { strrev('work'); }

if (isset($argv[1])) {
    $trace = xdebug_start_trace("$argv[1]/trace");
    xdebug_start_code_coverage();
    xhprof_enable();
    work();
    $edges = xhprof_disable();
    $files = array_keys(xdebug_get_code_coverage());
    xdebug_stop_trace();
    preg_match_all('/-> ([\w\\\\{}:. -]+)\(/', (string) file_get_contents($trace), $calls);
    echo implode(' ', $calls[1]), "\n", implode(' ', array_map('basename', $files)), "\n";
    xhprof_test_edges($edges);
    exit(0);
}
$ini = ['xdebug.mode' => 'trace,coverage', 'xdebug.use_compression' => 0, 'xdebug.start_with_request' => 'no', 'xdebug.log_level' => 0];
foreach (['auto', 'walk'] as $hooks) {
    xhprof_test_show(xhprof_test_child(__FILE__, [xhprof_test_folder()], ['xhprof.hooks' => $hooks] + $ini, ['xdebug']));
}
?>
--EXPECT--
xdebug_start_code_coverage xhprof_enable work strrev xhprof_disable xdebug_get_code_coverage array_keys xdebug_stop_trace
calibration_unseen_xdebug.php
main(): ct=1
main()==>work: ct=1
main()==>xhprof_disable: ct=1
work==>strrev: ct=1
xdebug_start_code_coverage xhprof_enable work strrev xhprof_disable xdebug_get_code_coverage array_keys xdebug_stop_trace
calibration_unseen_xdebug.php
main(): ct=1
main()==>work: ct=1
main()==>xhprof_disable: ct=1
work==>strrev: ct=1
