--TEST--
Where profiles that settings start are saved: xhprof.output_dir as it is when the profile begins, XHPROF_OUTPUT_DIR
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';

$other = xhprof_test_folder();
$count = static fn (string $folder): int => count(xhprof_test_run_names($folder));
$ways = [
    'changed by the program' => ["<?php ini_set('xhprof.output_dir', '$other');", [], []],
    'changed for a span' => ["<?php ini_set('xhprof.output_dir', '$other'); xhprof_begin_span('x'); xhprof_end_span();", ['start_with_request' => 'yes'], []],
    'changed within a span' => ["<?php xhprof_begin_span('x'); ini_set('xhprof.output_dir', '$other'); xhprof_end_span();", ['start_with_request' => 'yes'], []],
    'the setting is first' => ['<?php', [], ['XHPROF_OUTPUT_DIR' => $other]],
    'then the environment' => ['<?php', ['output_dir' => ''], ['XHPROF_OUTPUT_DIR' => $other]],
    'changed folder' => ["<?php chdir('$other');", [], []],
    'a link' => ['<?php', ['output_dir' => "$other/link"], []],
    'open_basedir set by the program' => ["<?php ini_set('open_basedir', '$other');", [], []],
];
mkdir("$other/real");
symlink("$other/real", "$other/link");
foreach ($ways as $label => [$code, $ini, $env]) {
    $child = xhprof_test_auto($code, $ini, $env);
    echo "$label: ", $child['out'], $child['err'], $count($child['folder']), ' ', $count($other), ' ', $count("$other/real"), "\n";
    array_map(unlink(...), array_merge(glob("$other/*.auto.*"), glob("$other/real/*.auto.*")));
}
?>
--EXPECT--
changed by the program: 1 0 0
changed for a span: 1 1 0
changed within a span: 2 0 0
the setting is first: 1 0 0
then the environment: 0 1 0
changed folder: 1 0 0
a link: 0 0 1
open_basedir set by the program: 1 0 0
