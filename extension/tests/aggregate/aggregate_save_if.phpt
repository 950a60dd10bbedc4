--TEST--
xhprof.mode=aggregate: a request that meets a condition of xhprof.save_if is counted, and saved as a run of its own
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';
require __DIR__ . '/../aggregate.inc';

$code = <<<'PHP'
    foreach (['a' => 20, 'b' => 60, 'c' => 20] as $name => $ms) {
        xhprof_begin_span("job $name");
        work($ms);
        xhprof_end_span();
    }
    PHP;
foreach (['route=job b', 'route=*@2', ''] as $condition) {
    $result = xhprof_test_aggregate($code, ['start_with_request' => 'no', 'save_if' => "\"$condition\""]);
    echo "$condition: $result[out]$result[err]";
    $runs = array_filter($result['runs'], static fn (array $run): bool => $run['start'] !== 'aggregate');
    xhprof_test_show_requests(xhprof_test_routes(array_values(array_diff_key($result['runs'], $runs)), $result['folder']));
    foreach ($runs as $run) {
        $tree = xhprof_test_run_part($result['folder'], "$run[id].$run[source]", 'tree');
        echo "$run[name] $run[mode] $run[saved_if]: ", implode(' ', $run['parts']), ', ', array_sum($tree['ct']) === $run['samples'] ? 'all samples' : 'other samples',
            in_array('inner', $tree['names'], true) ? '' : ' without its functions', "\n";
    }
}
?>
--EXPECT--
route=job b: job a: 1
job b: 1
job c: 1
job b sample route=job b: samples tree, all samples
route=*@2: job a: 1
job b: 1
job c: 1
job a sample route=*: samples tree, all samples
job b sample route=*: samples tree, all samples
: job a: 1
job b: 1
job c: 1
