--TEST--
xhprof_save(): nothing to save, bad sources, folders that can not be written to
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);

echo "-- nothing stopped\n";
foreach ([static fn () => xhprof_save(), static fn () => xhprof_enable() ?? xhprof_save()] as $call) {
    try {
        $call();
        echo "saved\n";
    } catch (RuntimeException $e) {
        echo get_class($e), $e->getMessage() !== '' && !str_contains($e->getMessage(), "\n") ? '' : ' without a line', "\n";
    }
}
xhprof_disable();
xhprof_enable();
try {
    xhprof_save();
    echo "saved\n";
} catch (RuntimeException $e) {
    echo "RuntimeException while a session runs\n";
}
xhprof_disable();

echo "-- sources\n";
foreach (['', '.', '..', 'a.b', 'a/b', '../x', "a\0b", "caf\xc3\xa9", 'a b', "a\n", str_repeat('a', 65), '*', 'a\\b'] as $source) {
    try {
        xhprof_save($source);
        echo json_encode($source), " saved\n";
    } catch (ValueError $e) {
        echo str_contains($e->getMessage(), 'xhprof_save()') ? '' : "{$e->getMessage()}\n";
    }
}
foreach (['a', 'A-Z_0-9', str_repeat('a', 64), '-', '0'] as $source) {
    $id = xhprof_save($source);
    echo strlen($source), ' ', json_encode(xhprof_test_run_saved($folder, "$id.$source")), "\n";
}
array_map('unlink', glob("$folder/*"));

echo "-- folders\n";
touch("$folder/file");
mkdir("$folder/empty");
foreach (["$folder/missing", "$folder/missing/deeper", "$folder/file", "$folder/file/x", '/proc/self/nothing', str_repeat('x', 5000)] as $bad) {
    ini_set('xhprof.output_dir', $bad);
    try {
        xhprof_save();
        echo "saved to $bad\n";
    } catch (RuntimeException $e) {
        $named = str_contains($e->getMessage(), substr($bad, 0, 200));
        echo get_class($e), $named ? ' names the path' : " {$e->getMessage()}", "\n";
    }
}
echo implode(' ', xhprof_test_list($folder)), "\n";

// And after all that it still saves.
ini_set('xhprof.output_dir', "$folder/empty/");
xhprof_save();
echo xhprof_test_run_list("$folder/empty"), "\n";
?>
--EXPECT--
-- nothing stopped
RuntimeException
RuntimeException
RuntimeException while a session runs
-- sources
1 true
7 true
64 true
1 true
1 true
-- folders
RuntimeException names the path
RuntimeException names the path
RuntimeException names the path
RuntimeException names the path
RuntimeException names the path
RuntimeException names the path
empty file
1 runs
