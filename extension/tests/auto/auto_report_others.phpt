--TEST--
A failure does not hide a later one that is another; a folder whose runs cannot be counted is logged once, though runs are saved
--FILE--
<?php
require __DIR__ . '/../lib.inc';

if (isset($argv[1])) {
    $span = static function (string $folder): void {
        ini_set('xhprof.output_dir', $folder);
        xhprof_begin_span('job');
        echo xhprof_end_span() === null ? '-' : '+';
    };
    for ($i = 0; $i < 3; $i++) {
        $span("$argv[1]/none");
        $span("$argv[1]/other");
    }
    for ($i = 0; $i < 20; $i++) { // no more than a few
        $span("$argv[1]/none$i");
    }
    for ($i = 0; $i < 3; $i++) {
        $span("$argv[1]/runs");
    }
    exit(0);
}
$base = xhprof_test_folder();
mkdir("$base/runs/.xhprof-folder.auto", 0700, true);
mkdir("$base/runs/.xhprof-folder.auto." . fileowner('/proc/self'));
for ($i = 0; $i <= 65536; $i++) { // more than are read for each run
    touch("$base/runs/other$i");
}
$settings = ['xhprof.start_with_request' => 'yes', 'xhprof.output_dir' => "$base/runs", 'log_errors' => 1, 'error_log' => "$base/log"];
xhprof_test_show(xhprof_test_child(__FILE__, [$base], $settings));
echo "\n";
$lines = str_replace($base, 'BASE', preg_replace('/^\[.*?\] /', '', file("$base/log", FILE_IGNORE_NEW_LINES)));
$numbered = preg_grep('/none\d+:/', $lines);
echo implode("\n", array_diff($lines, $numbered)), "\n", count($numbered) < 10 ? 'a few' : count($numbered), "\n";
?>
--EXPECTF--
--------------------------+++
xhprof: cannot count the runs of BASE/runs, so xhprof.max_runs may be exceeded: File too large
xhprof: cannot write a run to BASE/none: No such file or directory
xhprof: cannot write a run to BASE/other: No such file or directory
a few
