--TEST--
A full disk: runs are whole or not there, it is said once, and bounds keep room for what is new
--SKIPIF--
<?php
if (PHP_OS_FAMILY !== 'Linux' || trim((string) shell_exec('id -u')) !== '0') {
    die('skip needs root');
}
$folder = sys_get_temp_dir() . '/xhprof-phpt-mount-' . getmypid();
mkdir($folder);
exec('mount -t tmpfs -o size=64k xhprof-phpt ' . escapeshellarg($folder) . ' 2>&1', $output, $code);
exec('umount ' . escapeshellarg($folder) . ' 2>&1');
rmdir($folder);
if ($code !== 0) {
    die('skip no disk can be mounted');
}
?>
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

function one(): void { strlen('x'); }

if (isset($argv[1])) {
    $results = '';
    for ($i = 0; $i < 60; $i++) {
        xhprof_begin_span('job');
        one();
        $results .= xhprof_end_span() === null ? '-' : '+';
    }
    echo $results;
    exit(0);
}
$base = xhprof_test_folder();
mkdir("$base/disk");
foreach (['no bounds' => [0, 0], 'runs' => [5, 0], 'bytes' => [0, 8000]] as $label => [$runs, $bytes]) {
    exec('mount -t tmpfs -o size=128k,mode=0777 xhprof-phpt ' . escapeshellarg("$base/disk"), $output, $code);
    try {
        $settings = ['xhprof.output_dir' => "$base/disk", 'xhprof.start_with_request' => 'yes', 'xhprof.collect_additional_info' => 0,
            'xhprof.max_runs' => $runs, 'xhprof.max_bytes' => $bytes,
            'log_errors' => 1, 'error_log' => "$base/log"];
        $process = proc_open([...xhprof_test_command($settings), __FILE__, 'child'], [1 => ['pipe', 'w']], $pipes);
        $results = stream_get_contents($pipes[1]);
        echo "$label: ", proc_close($process), ' ', strlen($results), ' ', preg_replace('/(.)\1+/', '$1', $results), "\n";
        $names = xhprof_test_run_names("$base/disk");
        $damaged = preg_grep('/^\.xhprof-folder/', xhprof_test_run_others("$base/disk"), PREG_GREP_INVERT);
        $parts = [];
        foreach ($names as $name) {
            $whole = static fn (string $file): bool => xhprof_test_run_is_whole("$base/disk/$file");
            array_push($damaged, ...array_filter(xhprof_test_run_files("$base/disk", $name), static fn (string $file): bool => !$whole($file)));
            $parts[implode(' ', xhprof_test_run_parts("$base/disk", $name))] = true;
        }
        $count = count($names);
        echo $damaged === [] ? 'whole' : implode(' ', $damaged), ', ', implode(', ', array_keys($parts)), ', ',
            match ($label) {
                'no bounds' => $count === 1 + substr_count($results, '+'), // one of what ran before the first span
                'runs' => $count === 5,
                default => $count > 1 && $count < 20,
            } ? 'as expected' : "$count runs", "\n";
    } finally {
        exec('umount ' . escapeshellarg("$base/disk"));
    }
    echo str_replace($base, 'BASE', preg_replace('/^\[[^]]*\] /m', '', (string) @file_get_contents("$base/log")));
    @unlink("$base/log");
}
?>
--EXPECT--
no bounds: 0 60 +-
whole, meta tree, as expected
xhprof: cannot write a run to BASE/disk: No space left on device
runs: 0 60 +
whole, meta tree, as expected
bytes: 0 60 +
whole, meta tree, as expected
