--TEST--
What cannot be saved is logged once, and again after something was saved; in one line, whatever the folder is called
--FILE--
<?php
require __DIR__ . '/../lib.inc';

if (isset($argv[1])) {
    [, $folder, $other] = $argv;
    $spans = static function (int $count): void {
        for ($i = 0; $i < $count; $i++) {
            xhprof_begin_span('job');
            echo xhprof_end_span() === null ? '-' : '+';
        }
    };
    ini_set('xhprof.output_dir', $folder);
    $spans(3);
    mkdir($folder);
    $spans(2);
    array_map(unlink(...), [...glob("$folder/*"), ...glob("$folder/.xhprof-*")]);
    rmdir($folder);
    $spans(3);
    mkdir($folder);
    $spans(1);
    ini_set('xhprof.output_dir', $other);
    $spans(2);
    array_map(unlink(...), [...glob("$folder/*"), ...glob("$folder/.xhprof-*")]);
    rmdir($folder);
    exit(0);
}
$base = xhprof_test_folder();
$settings = ['xhprof.start_with_request' => 'yes', 'xhprof.output_dir' => $base, 'log_errors' => 1, 'error_log' => "$base/log"];
$process = proc_open([...xhprof_test_command($settings), __FILE__, "$base/runs", "$base/a\n[b]\x1b"], [1 => ['pipe', 'w']], $pipes);
echo stream_get_contents($pipes[1]), ' ', proc_close($process), "\n";
foreach (file("$base/log") as $line) {
    [$time, $text] = explode('] ', $line, 2) + ['', ''];
    $ago = time() - (int) strtotime(substr($time, 1));
    echo $ago >= 0 && $ago < 300 ? '' : "$time: ", str_replace($base, 'BASE', $text);
}

// Without a file, where the server's own log is: standard error.
$process = proc_open([...xhprof_test_command(['error_log' => ''] + $settings), __FILE__, "$base/runs", "$base/x"], [1 => ['pipe', 'w'], 2 => ['pipe', 'w']], $pipes);
stream_get_contents($pipes[1]);
echo str_replace($base, 'BASE', preg_replace('/^\[[^]]*\] /m', '', stream_get_contents($pipes[2])));
?>
--EXPECT--
---++---+-- 0
xhprof: cannot write a run to BASE/runs: No such file or directory
xhprof: cannot write a run to BASE/runs: No such file or directory
xhprof: cannot write a run to BASE/a?[b]?: No such file or directory
xhprof: cannot write a run to BASE/runs: No such file or directory
xhprof: cannot write a run to BASE/runs: No such file or directory
xhprof: cannot write a run to BASE/x: No such file or directory
