--TEST--
Operations of a sampling: the time of functions that are operations, without texts and values
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('sampling'); ?>
--FILE--
<?php
require __DIR__ . '/operations.inc';

function waits(): void { usleep(20000); }

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);
do { // until a sample has met it
    xhprof_sample_enable(['interval' => 1000]);
    waits();
    array_sum(range(1, 10));
    xhprof_sample_disable();
    $tree = xhprof_call_tree();
    $data = operations_of($folder, xhprof_save('test'));
} while ($data === null || $data['text'] === []);
echo implode(' ', array_keys($data)), "\n";
echo json_encode($data['sampled']), "\n";
foreach ($data['text'] as $row => $text) {
    $node = $data['node'][$row];
    echo $data['kinds'][$data['kind_of_text'][$text]], ': ', $data['texts'][$text], ' by ', $tree['names'][$tree['fn'][$node]], "\n";
    var_dump($data['total'][$row] === $data['ct'][$row] * 1000000, $data['ct'][$row] === $tree['ct'][$node]);
}
?>
--EXPECT--
sampled lost kinds texts kind_of_text text node ct total
{"interval_us":1000,"clock":"wall"}
sleep: usleep by usleep
bool(true)
bool(true)
