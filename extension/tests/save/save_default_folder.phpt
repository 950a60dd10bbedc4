--TEST--
Without xhprof.output_dir runs go to a folder of the user's own below that for temporary files; to no other's
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

if (isset($argv[1])) {
    xhprof_enable();
    try {
        xhprof_disable();
        $id = xhprof_save();
        $found = false;
        foreach (glob(sys_get_temp_dir() . '/xhprof-*') as $folder) {
            $modes = array_map(static fn (string $file): int => fileperms("$folder/$file") & 0777, xhprof_test_run_files($folder, "$id.xhprof"));
            if ($modes !== []) {
                $found = printf("folder %o, files %s\n", fileperms($folder) & 0777, implode(' ', array_map(decoct(...), array_unique($modes))));
            }
        }
        echo $found ? '' : "no run\n";
    } catch (RuntimeException $e) {
        echo preg_replace('~/.*/xhprof-\d+~', '*', $e->getMessage()), "\n";
    }
    exit(0);
}
$folder = xhprof_test_folder();
$save = static fn (array $ini = [])
    => xhprof_test_show(xhprof_test_child(__FILE__, ['child'], $ini, [], null, ['TMPDIR' => $folder] + getenv()));
umask(022);
$save();
$save();
$own = glob("$folder/xhprof-*")[0];
echo xhprof_test_run_list($own), "\n";
$log = "$folder/log";
$automatic = ['xhprof.start_with_request' => 'yes', 'log_errors' => 1, 'error_log' => $log];
chmod($own, 0777);
$save();
$save($automatic);
chmod($own, 0755);
$save();
rename($own, "$folder/elsewhere");
symlink("$folder/elsewhere", $own);
$save();
unlink($own);
file_put_contents($own, '');
$save();
unlink($own);
$save(['open_basedir' => dirname(__DIR__)]);
if (function_exists('posix_geteuid') && posix_geteuid() === 0) {
    mkdir($own, 0700);
    chown($own, 65534);
    $save();
} else {
    echo "xhprof_save(): Cannot write a run to *: it does not belong to this user, or others may write there\n";
}
echo xhprof_test_run_list("$folder/elsewhere"), "\n";
echo preg_replace('~^\[.*?\] |/\S*/xhprof-\d+~m', '', file_get_contents($log));
?>
--EXPECT--
folder 700, files 640
folder 700, files 640
2 runs
xhprof_save(): Cannot write a run to *: it does not belong to this user, or others may write there
xhprof_save(): Cannot write a run to *: it does not belong to this user, or others may write there
folder 755, files 640
xhprof_save(): Cannot write a run to *: it does not belong to this user, or others may write there
xhprof_save(): Cannot write a run to *: it does not belong to this user, or others may write there
xhprof_save(): Cannot write a run to *: it is not within open_basedir
xhprof_save(): Cannot write a run to *: it does not belong to this user, or others may write there
3 runs
xhprof: cannot write a run to : it does not belong to this user, or others may write there
