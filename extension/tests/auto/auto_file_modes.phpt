--TEST--
Runs are for their owner and its group, those of xhprof_save() too
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('Linux', 'a shell'); ?>
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

if (isset($argv[1])) {
    xhprof_enable();
    xhprof_disable();
    xhprof_save('mine');
    exit(0);
}
$folder = xhprof_test_folder();
foreach (['exact' => 'auto', 'sample' => 'auto', 'aggregate' => 'auto'] as $mode => $source) {
    $settings = ['xhprof.output_dir' => $folder, 'xhprof.start_with_request' => 'yes', 'xhprof.mode' => $mode];
    foreach (['0', '022', '077'] as $mask) {
        $command = implode(' ', array_map(escapeshellarg(...), [...xhprof_test_command($settings), __FILE__, 'child']));
        passthru('/bin/sh -c ' . escapeshellarg("umask $mask; exec $command"), $code);
        $modes = [];
        foreach (xhprof_test_run_names($folder) as $name) {
            foreach (xhprof_test_run_files($folder, $name) as $file) {
                $modes[substr($name, 33)][sprintf('%o', fileperms("$folder/$file") & 0777)] = true;
            }
        }
        ksort($modes);
        echo "$mode $mask: ", json_encode(array_map(array_keys(...), $modes)), $code ? " code $code" : '', "\n";
        array_map(unlink(...), [...glob("$folder/*"), ...glob("$folder/.xhprof-*")]); // with the record of when a window was saved
    }
}
?>
--EXPECT--
exact 0: {"auto":[640],"mine":[640]}
exact 022: {"auto":[640],"mine":[640]}
exact 077: {"auto":[600],"mine":[600]}
sample 0: {"auto":[640],"mine":[640]}
sample 022: {"auto":[640],"mine":[640]}
sample 077: {"auto":[600],"mine":[600]}
aggregate 0: {"auto":[640],"mine":[640]}
aggregate 022: {"auto":[640],"mine":[640]}
aggregate 077: {"auto":[600],"mine":[600]}
