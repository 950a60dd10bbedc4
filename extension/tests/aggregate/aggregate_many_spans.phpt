--TEST--
xhprof.mode=aggregate: no growth of memory, of files or of descriptors over many spans
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'proc_open()', '/proc/self/smaps'); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

$result = xhprof_test_aggregate('require ' . var_export(__DIR__ . '/../lib.inc', true) . ";\n" . <<<'PHP'
    $figures = static function () {
        return [xhprof_test_memory()[0] >> 10, count(scandir('/proc/self/fd')), memory_get_usage()];
    };
    $spans = static function (int $count) {
        for ($i = 0; $i < $count; $i++) {
            xhprof_begin_span('job ' . $i % 700);
            $i % 1000 || work(5);
            $i % 2500 || clock_goes(1000);
            xhprof_end_span();
        }
    };
    $spans(5000);
    $before = $figures();
    $spans(20000);
    $after = $figures();
    echo json_encode([$after[0] - $before[0] < 512 || str_contains(file_get_contents('/proc/self/maps'), 'libasan') ? 'same' : [$before, $after], $after[1] - $before[1], $after[2] - $before[2] < 1024 ? 'same' : [$before, $after]]);
    PHP, ['start_with_request' => 'no', 'max_runs' => 3]);
echo "$result[out]$result[err]\n";
xhprof_test_between('runs', count($result['runs']), 1, 4);
$last = end($result['runs']);
xhprof_test_between('routes', count($last['aggregate']['routes']), 1, 501);
xhprof_test_routes($result['runs'], $result['folder']);
?>
--EXPECT--
["same",0,"same"]
runs: ok
routes: ok
