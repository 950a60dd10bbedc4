--TEST--
xhprof_save(): what is kept with a run has at most 1 MB, 65,536 arrays and 128 levels, so that each reader takes the run
--EXTENSIONS--
xhprof
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);

function nested(int $levels): array
{
    return $levels === 1 ? ['end'] : ['[{' => nested($levels - 1)];
}

$frame = strlen(json_encode(['x' => '']));
$cases = [
    'of 1 MB' => ['x' => str_repeat('x', (1 << 20) - $frame)],
    'one byte longer' => ['x' => str_repeat('x', (1 << 20) - $frame + 1)],
    '128 levels' => nested(128),
    '129 levels' => nested(129),
    '65536 arrays' => array_fill(0, 65535, []),
    '65537 arrays' => array_fill(0, 65536, []),
    'brackets, quotes and backslashes in texts' => ['x' => str_repeat('[{"\\', 1000) . '\\"', str_repeat('[', 200) => '"'],
];
foreach ($cases as $label => $meta) {
    xhprof_enable();
    xhprof_disable();
    try {
        $id = xhprof_save('m', $meta);
        $saved = xhprof_test_run_part($folder, "$id.m", 'meta')['meta'];
        echo "$label: ", $saved === $meta ? 'kept' : 'something else', "\n";
    } catch (ValueError $e) {
        echo "$label: {$e->getMessage()}; ", xhprof_test_run_list($folder), "\n";
    }
    array_map('unlink', glob("$folder/*"));
}
?>
--EXPECT--
of 1 MB: kept
one byte longer: xhprof_save(): Argument #2 ($meta) must have at most 128 levels, 65536 arrays and 1048576 bytes as JSON; 0 runs
128 levels: kept
129 levels: xhprof_save(): Argument #2 ($meta) must have at most 128 levels, 65536 arrays and 1048576 bytes as JSON; 0 runs
65536 arrays: kept
65537 arrays: xhprof_save(): Argument #2 ($meta) must have at most 128 levels, 65536 arrays and 1048576 bytes as JSON; 0 runs
brackets, quotes and backslashes in texts: kept
