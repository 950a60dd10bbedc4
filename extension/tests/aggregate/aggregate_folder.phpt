--TEST--
xhprof.mode=aggregate: a folder that is missing, or files of others in it, hurt no program, and are reported once
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'proc_open()'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';
require __DIR__ . '/../aggregate.inc';

$spans = '$spans = static function (int $count) { for ($i = 0; $i < $count; $i++) { xhprof_begin_span("job"); work(20); xhprof_end_span(); } };';
$settings = ['log_errors' => 1, 'error_log' => '', 'display_errors' => 0];
$show = static function (string $label, array $result): void {
    $error = preg_replace(['~ to /.*?: ~', '~ for /\S* ~', '~\n~'], [' to FOLDER: ', ' for FOLDER ', ', '], preg_replace('/^(\[.*\] |PHP .*?: *)/m', '', trim($result['err'])));
    echo "$label: ", trim($result['out']), "; log: ", $error === '' ? 'nothing' : $error, '; requests: ';
    $routes = xhprof_test_routes($result['runs'], $result['folder']);
    echo json_encode(array_map(static fn (array $route): int => $route['requests'], $routes)), "\n";
};
$no = ['start_with_request' => 'no'];

$show('missing', xhprof_test_aggregate("$spans ini_set('xhprof.output_dir', ini_get('xhprof.output_dir') . '/missing');"
    . ' $spans(70); echo "whole";', $no, $settings));
$show('made later', xhprof_test_aggregate("$spans" . <<<'PHP'
    $folder = ini_get('xhprof.output_dir');
    rename($folder, "$folder.away");
    $spans(60);
    rename("$folder.away", $folder);
    $spans(20);
    echo "whole";
    PHP, $no, $settings));
$show('removed', xhprof_test_aggregate("$spans" . <<<'PHP'
    $folder = ini_get('xhprof.output_dir');
    $spans(5);
    array_map(unlink(...), glob("$folder/.xhprof-aggregate*"));
    $spans(5);
    array_map(unlink(...), glob("$folder/.xhprof-aggregate*"));
    echo "whole";
    PHP, ['flush_seconds' => 3600] + $no, $settings));
$spool = 'sprintf("%s/.xhprof-aggregate.auto.%d.%d-1000-wall.spool", ini_get("xhprof.output_dir"), fileowner(ini_get("xhprof.output_dir")), ini_get("xhprof.flush_seconds"))';
$result = xhprof_test_aggregate("$spans file_put_contents($spool, random_bytes(5000)); \$spans(5); echo 'whole';", ['flush_seconds' => 3600] + $no, $settings);
foreach ($result['runs'] as $i => $run) {
    echo 'noise is ', $run['aggregate']['damaged'] > 0 ? 'reported' : 'gone', "\n";
    $result['runs'][$i]['aggregate']['damaged'] = 0;
}
$show('noise', $result);
$show('link', xhprof_test_aggregate("$spans file_put_contents(\$other = ini_get('xhprof.output_dir') . '/other', 'x');"
    . "symlink(\$other, $spool); \$spans(5); echo 'whole ', file_get_contents(\$other);", $no, $settings));
// Who may write into the folder plants what has the spool's name: another one is used.
$show('folder', xhprof_test_aggregate("$spans mkdir($spool); \$spans(5); echo 'whole';", $no, $settings));
$show('hard link', xhprof_test_aggregate("$spans file_put_contents(\$other = ini_get('xhprof.output_dir') . '/other', 'x');"
    . "link(\$other, $spool); \$spans(5); echo 'whole ', file_get_contents(\$other);", $no, $settings));
$show('fifo', xhprof_test_aggregate("$spans exec('mkfifo ' . escapeshellarg($spool)); \$spans(5); echo 'whole';", $no, $settings));
?>
--EXPECT--
missing: whole; log: xhprof: cannot write a run to FOLDER: No such file or directory, xhprof: a window for FOLDER is lost: 70 requests; requests: []
made later: whole; log: xhprof: cannot write a run to FOLDER: No such file or directory; requests: {"job":80}
removed: whole; log: nothing; requests: {"job":10}
noise is reported
noise: whole; log: nothing; requests: {"job":5}
link: whole x; log: nothing; requests: {"job":5}
folder: whole; log: nothing; requests: {"job":5}
hard link: whole x; log: nothing; requests: {"job":5}
fifo: whole; log: nothing; requests: {"job":5}
