--TEST--
Every format tells of the same paths and bytes, in all and below a threshold
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../alloc.inc';
require __DIR__ . '/../alloc_formats.inc';

function compare(array $options): array
{
    $json = xhprof_test_dump($options);
    $plain = ['types' => false] + $options;
    $bytes = xhprof_test_json_bytes($json);
    $all = json_decode($json, true, 5000);
    $read = [
        'json without types' => xhprof_test_json_bytes(xhprof_test_dump($plain)),
        'folded' => xhprof_test_folded_bytes(xhprof_test_dump($plain, 'folded')),
        'pprof' => xhprof_test_pprof_bytes(xhprof_test_dump($plain, 'pprof')),
        'chrome' => xhprof_test_chrome_bytes(xhprof_test_dump($options, 'chrome')),
        'chrome without types' => xhprof_test_chrome_bytes(xhprof_test_dump($plain, 'chrome')),
    ];
    if (($options['threshold'] ?? 0) === 0) {
        foreach ($read as $format => $others) {
            if ($others !== $bytes) {
                echo "$format differs:\n";
                var_dump(array_diff_assoc($bytes, $others), array_diff_assoc($others, $bytes));
            }
        }
    }
    $read += [
        'callgrind' => preg_match('/^summary: (\d+) /m', xhprof_test_dump($options, 'callgrind'), $match) ? [(int) $match[1]] : [],
        'folded with types' => $folded = xhprof_test_folded_bytes(xhprof_test_dump($options, 'folded')),
        'pprof with types' => $pprof = xhprof_test_pprof_bytes(xhprof_test_dump($options, 'pprof')),
    ];
    foreach ($read as $format => $others) {
        if (array_sum($others) !== $all['memory_size_inclusive']) {
            echo "$format: ", array_sum($others), " bytes of $all[memory_size_inclusive]\n";
        }
    }
    if ($folded !== $pprof) {
        echo "folded and pprof differ in types\n";
    }
    return $bytes;
}

xhprof_enable(XHPROF_FLAGS_ALLOC);
keep();
xhprof_disable();

$bytes = compare([]);
foreach ($bytes as $path => $held) {
    if (str_contains($path, 'keep') && !str_contains($path, 'closure') && $held > 2000) {
        echo "$path\n";
    }
}
echo "-- threshold\n";
$few = compare(['threshold' => 7000]);
var_dump($few['(below threshold)'] > 18000, array_sum($few) === array_sum($bytes));
echo "-- types\n";
foreach (xhprof_test_folded_bytes(xhprof_test_dump([], 'folded')) as $path => $held) {
    if (preg_match('/ping.*text|Kept/', $path)) {
        echo "$path\n";
    }
}
echo "-- blocks\n";
foreach (xhprof_test_folded_bytes(xhprof_test_dump(['metric' => 'blocks', 'types' => false], 'folded')) as $path => $blocks) {
    if (preg_match('/direct.*str/', $path)) {
        echo "$path $blocks\n";
    }
}
?>
--EXPECT--
main();keep;Kept::fill;range
main();keep;direct;direct;direct;direct;direct;direct;text;str_repeat
main();keep;direct;direct;direct;direct;direct;text;str_repeat
main();keep;direct;direct;direct;direct;text;str_repeat
main();keep;direct;direct;direct;text;str_repeat
main();keep;direct;direct;text;str_repeat
main();keep;direct;text;str_repeat
main();keep;ping;pong;pack
main();keep;ping;pong;ping;pong;pack
main();keep;ping;pong;ping;pong;ping;pong;pack
main();keep;ping;pong;ping;pong;ping;text;str_repeat
main();keep;ping;pong;ping;text;str_repeat
main();keep;ping;text;str_repeat
-- threshold
bool(true)
bool(true)
-- types
main();keep;Kept::fill;range;[array]
main();keep;[object:Kept]
main();keep;ping;pong;ping;pong;ping;text;str_repeat;[string]
main();keep;ping;pong;ping;text;str_repeat;[string]
main();keep;ping;text;str_repeat;[string]
-- blocks
main();keep;direct;direct;direct;direct;direct;direct;text;str_repeat 1
main();keep;direct;direct;direct;direct;direct;text;str_repeat 1
main();keep;direct;direct;direct;direct;text;str_repeat 1
main();keep;direct;direct;direct;text;str_repeat 1
main();keep;direct;direct;text;str_repeat 1
main();keep;direct;text;str_repeat 1
