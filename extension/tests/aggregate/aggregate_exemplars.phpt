--TEST--
xhprof.mode=aggregate: the slowest request of each route and one by chance are kept as trees of their own
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';
require __DIR__ . '/../aggregate.inc';

$code = <<<'PHP'
    function slow_part(int $ms) { work($ms); }
    $longest = 0;
    for ($i = 0; $i < 6; $i++) {
        $began = hrtime(true);
        xhprof_begin_span('job ' . $i % 2);
        $i === 5 ? slow_part(100 + 2 * $longest) : work(30); // longer than what the machine has made of the others
        xhprof_end_span();
        $longest = max($longest, intdiv(hrtime(true) - $began, 1_000_000));
    }
    PHP;
$result = xhprof_test_aggregate($code, ['start_with_request' => 'no', 'sampling_interval' => 1000]);
echo $result['out'], $result['err'];
xhprof_test_show_requests(xhprof_test_routes($result['runs'], $result['folder']));
foreach ($result['runs'] as $run) {
    $names = xhprof_test_run_part($result['folder'], "$run[id].$run[source]", 'tree')['names'];
    foreach (xhprof_test_run_exemplars($result['folder'], "$run[id].$run[source]") as $one) {
        $functions = array_map(static fn (int $fn): string => $names[$fn], $one['fn']);
        $slow = in_array('slow_part', $functions, true);
        echo "$one[route], $one[kind]:", $one['kind'] === 'slowest' && $slow ? ' slow_part' : '', ' ', $functions[0], "\n";
        $route = $run['aggregate']['routes'][$one['route']];
        $same = array_sum($one['ct']) === $one['samples'] && $one['samples'] > 0 && $one['samples'] <= $route['samples'];
        $same = $same && count($one['fn']) === count($one['depth']) && count($one['fn']) === count($one['ct'])
            && count($one['fn']) === count($one['call_line']) && $one['depth'][0] === 0 && min(array_slice($one['depth'], 1) ?: [1]) === 1;
        $times = $one['kind'] === 'slowest' ? $one['wall_us'] === $route['max_us'] : $one['wall_us'] <= $route['max_us'];
        echo $same && $times && $one['failed'] === false && $one['ended'] >= $run['aggregate']['from'] && $one['peak'] > 0
            ? '' : 'wrong: ' . json_encode([$one, $route]) . "\n";
    }
}
?>
--EXPECT--
job 0: 3
job 1: 3
job 0, slowest: job 0
job 0, random: job 0
job 1, slowest: slow_part job 1
job 1, random: job 1
