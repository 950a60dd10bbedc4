--TEST--
xhprof_save(): a reader of the folder never sees half a file
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

if (isset($argv[1])) {
    for ($i = 0; $i < 5000; $i++) {
        eval("function function_number_$i() {}");
    }
    ini_set('xhprof.output_dir', $argv[1]);
    xhprof_enable();
    for ($i = 0; $i < 5000; $i++) {
        "function_number_$i"();
    }
    xhprof_disable();
    // A line for each look: on a busy machine all files would be there before the first.
    while (fgets(STDIN) !== false) {
        for ($i = 0; $i < 4; $i++) {
            xhprof_save('atomic', ['n' => $i]);
        }
    }
    exit(0);
}
$folder = xhprof_test_folder();
$process = proc_open(
    [...xhprof_test_command(), __FILE__, $folder],
    [0 => ['pipe', 'r'], 1 => ['file', '/dev/null', 'w']],
    $pipes,
);
$bad = [];
$seen = 0;
for ($batch = 1; $batch <= 10; $batch++) {
    fwrite($pipes[0], "\n");
    do {
        $names = xhprof_test_list($folder);
        // The youngest are the ones that may be half written.
        usort($names, static fn (string $a, string $b): int => @filemtime("$folder/$b") <=> @filemtime("$folder/$a"));
        foreach (array_slice($names, 0, 6) as $name) {
            $seen++;
            xhprof_test_run_is_whole("$folder/$name") || $bad[$name] = @filesize("$folder/$name");
        }
    } while (count(xhprof_test_run_names($folder)) < 4 * $batch && proc_get_status($process)['running']);
}
fclose($pipes[0]);
proc_close($process);
// Each batch but the first finds the files of those before it.
echo $seen >= 4 + 8 * 6 ? 'looked' : "saw $seen files", ', ', json_encode($bad), ', ', xhprof_test_run_list($folder), "\n";
?>
--EXPECT--
looked, [], 40 runs
