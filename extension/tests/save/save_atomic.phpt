--TEST--
xhprof_save(): whoever looks into the folder sees whole files only
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
    for ($i = 0; $i < 40; $i++) {
        xhprof_save('atomic', ['n' => $i]);
    }
    exit(0);
}
$folder = xhprof_test_folder();
$process = proc_open([...xhprof_test_command(), __FILE__, $folder], [1 => ['file', '/dev/null', 'w']], $pipes);
$bad = [];
$looks = $seen = 0;
do {
    $running = proc_get_status($process)['running'];
    $names = xhprof_test_list($folder);
    $looks++;
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
} while ($running);
proc_close($process);
echo $looks > 5 && $seen > 20 ? 'looked often' : "$looks looks, $seen files", ', ', json_encode($bad), ', ', count(xhprof_test_list($folder)), " files\n";
?>
--EXPECT--
looked often, [], 120 files
