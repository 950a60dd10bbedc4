--TEST--
xhprof_run_id(): the id of the run that settings record now
--FILE--
<?php
require __DIR__ . '/../auto.inc';

/** Prints what a program printed, with the ids of its runs by their numbers in the order of their beginnings. */
function show(array $child): void
{
    $ids = array_column($child['runs'], 'id');
    $numbers = array_map(static fn (int $at): string => 'run ' . $at + 1, array_keys($ids));
    echo preg_replace('/\b[0-9a-f]{32}\b/', 'no run of the folder', str_replace($ids, $numbers, $child['out'])), $child['err'];
}

$ask = 'echo xhprof_run_id() ?? "none", "\n";';
foreach (['exact', 'sample', 'alloc', 'aggregate'] as $mode) {
    echo "-- $mode\n";
    show(xhprof_test_auto("<?php $ask $ask", ['mode' => $mode]));
}
echo "-- with no, by the trigger, and when it is ignored\n";
show(xhprof_test_auto("<?php $ask", ['start_with_request' => 'no']));
show(xhprof_test_auto("<?php $ask", ['start_with_request' => 'trigger']));
show(xhprof_test_auto("<?php $ask", ['start_with_request' => 'trigger'], ['XHPROF_TRIGGER' => '1']));
show(xhprof_test_auto("<?php $ask xhprof_ignore_request(); $ask"));
echo "-- a request that is not worth a run\n";
show(xhprof_test_auto("<?php $ask", ['save_slower_than_ms' => 100000]));
echo "-- a profile of the program's own takes its place\n";
show(xhprof_test_auto("<?php $ask xhprof_enable(); $ask xhprof_disable(); $ask"));
show(xhprof_test_auto("<?php xhprof_enable(); $ask xhprof_disable(); $ask", ['start_with_request' => 'no']));
echo "-- spans\n";
show(xhprof_test_auto("<?php $ask foreach ([1, 2] as \$job) { xhprof_begin_span('job'); $ask xhprof_end_span(); $ask }"));
echo "-- spans in fibers, each with its own\n";
show(xhprof_test_auto(<<<PHP
    <?php
    function job(): void { \$span = xhprof_span('job'); $ask Fiber::suspend(); $ask \$span->end(); $ask }
    \$jobs = [new Fiber(job(...)), new Fiber(job(...))];
    foreach (\$jobs as \$job) { \$job->start(); }
    $ask
    foreach (\$jobs as \$job) { \$job->resume(); }
    PHP));
?>
--EXPECT--
-- exact
run 1
run 1
-- sample
run 1
run 1
-- alloc
run 1
run 1
-- aggregate
none
none
-- with no, by the trigger, and when it is ignored
none
none
run 1
no run of the folder
none
-- a request that is not worth a run
no run of the folder
-- a profile of the program's own takes its place
run 1
none
none
none
none
-- spans
run 1
run 2
none
run 3
none
-- spans in fibers, each with its own
run 2
run 3
none
run 2
none
run 3
none
