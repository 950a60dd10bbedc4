--TEST--
xhprof_save(): a reader of the folder never sees half a file
--FILE--
<?php
require __DIR__ . '/../lib.inc';

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
            $text = (string) @file_get_contents("$folder/$name");
            if (preg_match('/^[0-9a-f]{32}\.atomic\.xhprof$/', $name)) {
                $whole = is_array(@unserialize($text, ['allowed_classes' => false]));
            } elseif (preg_match('/^[0-9a-f]{32}\.atomic\.(tree|meta)\.json$/', $name)) {
                $whole = is_array(json_decode($text, true));
            } else {
                // A temporary file: under no name that a list of runs would take for a run.
                $whole = !preg_match('/\.(xhprof|json)$/', $name);
            }
            $seen++;
            $whole || $bad[$name] = strlen($text);
        }
    } while (count($names) < 12 * $batch && proc_get_status($process)['running']);
}
fclose($pipes[0]);
proc_close($process);
echo $seen >= 60 ? 'looked' : "saw $seen files", ', ', json_encode($bad), ', ', count(xhprof_test_list($folder)), " files\n";
?>
--EXPECT--
looked, [], 120 files
