--TEST--
What cannot be profiled or saved is one line in the log: settings, preloading, dl()
--FILE--
<?php
require __DIR__ . '/../auto.inc';

echo "What cannot be profiled or saved: one line in the log, and the program is as it would be:\n";

$code = '<?php function work() { return strlen("x"); } work(); echo "done\n";';
$spans = '<?php for ($i = 0; $i < 5; $i++) { xhprof_begin_span("x"); var_dump(xhprof_end_span()); }';
$base = xhprof_test_folder();
file_put_contents("$base/file", '');
mkdir("$base/gone");
$ways = [
    'no folder' => [$code, ['output_dir' => "$base/missing"], []],
    'a file' => [$code, ['output_dir' => "$base/file"], []],
    'a device' => [$code, ['output_dir' => '/dev/null'], []],
    'proc' => [$code, ['output_dir' => '/proc'], []],
    'too long' => [$code, ['output_dir' => '/' . str_repeat('x/', 3000)], []],
    'too long a name' => [$code, ['output_dir' => '/tmp/' . str_repeat('x', 300)], []],
    'open_basedir' => [$code, ['output_dir' => $base], ['open_basedir' => sys_get_temp_dir() . '/xhprof-phpt-none:' . sys_get_temp_dir() . '/xhprof-phpt-']],
    'spans' => [$spans, ['output_dir' => "$base/missing", 'start_with_request' => 'yes'], []],
    'samples' => [$code, ['output_dir' => "$base/missing", 'mode' => 'sample'], []],
    'allocations' => [$code, ['output_dir' => "$base/missing", 'mode' => 'alloc'], []],
    'full' => [$code, ['output_dir' => '/dev/full'], []],
    'removed meanwhile' => [str_replace('work();', '@rmdir(ini_get("xhprof.output_dir"));', $code), ['output_dir' => "$base/gone"], []],
    'exact without hooks' => [$code, ['hooks' => 'off'], []],
    'allocations without hooks' => [$code, ['hooks' => 'off', 'mode' => 'alloc'], []],
    'samples without hooks' => [$code, ['hooks' => 'off', 'mode' => 'sample'], []],
    'spans without hooks' => [$spans, ['hooks' => 'off', 'start_with_request' => 'yes'], []],
];
foreach ($ways as $label => [$program, $ini, $more]) {
    $plain = xhprof_test_auto($program, ['start_with_request' => 'no', 'save_slower_than_ms' => 1_000_000] + $ini, [], $more);
    $log = xhprof_test_folder() . '/log';
    $child = xhprof_test_auto($program, $ini + ['start_with_request' => 'yes'], [], $more + ['log_errors' => 1, 'error_log' => $log]);
    echo "-- $label\n";
    $child['code'] === 0 && $child['err'] === '' && $child['out'] === $plain['out'] || xhprof_test_show($child);
    echo str_replace([$base, sys_get_temp_dir()], ['BASE', 'TMP'], preg_replace(['/^\[[^]]*\] /m', '~/(x/)+x?~', '~/x{250,}~'], ['', '/x...', '/x...'], (string) @file_get_contents($log)));
    $child['runs'] === [] || print(count($child['runs']) . " runs\n");
}

echo "Settings start nothing while opcache preloads; loaded by dl() there is nothing to profile with, and the log says so:\n";

$folder = xhprof_test_folder();
file_put_contents("$folder/preloaded.php", '<?php function preloaded() { return strlen($GLOBALS["argv"][0] ?? ""); } preloaded();');
if (xhprof_test_available('Zend OPcache') || xhprof_test_available('opcache')) {
    $more = ['opcache.enable_cli' => 1, 'opcache.file_update_protection' => 0, 'opcache.preload' => "$folder/preloaded.php",
        'opcache.preload_user' => trim((string) shell_exec('id -un'))];
    foreach (['exact', 'sample', 'alloc'] as $mode) {
        $child = xhprof_test_auto('<?php preloaded(); echo "done\n";', ['mode' => $mode, 'sampling_interval' => 1000], [], $more, ['opcache']);
        xhprof_test_show($child);
        echo count($child['runs']), ' ', $child['runs'][0]['mode'] ?? '', ' ', $mode === 'sample' || ($child['runs'][0]['edges']['main()==>preloaded']['ct'] ?? 0) === 1 ? 'once' : 'not once', "\n";
    }
} else {
    echo "done\n1 exact once\ndone\n1 sample once\ndone\n1 alloc once\n";
}
if (function_exists('dl')) {
    $log = "$folder/log";
    file_put_contents("$folder/dl.php", '<?php var_dump(dl("xhprof.so")); strlen("x"); var_dump(@xhprof_begin_span("x"), xhprof_end_span()); echo "alive\n";');
    foreach (['exact', 'sample'] as $mode) {
        $ini = ['extension_dir' => dirname(xhprof_test_library()), 'enable_dl' => 1, 'error_log' => $log, 'xhprof.start_with_request' => 'yes', 'xhprof.mode' => $mode];
        xhprof_test_show(xhprof_test_child("$folder/dl.php", [], $ini, profiler: false));
    }
    echo preg_replace('/^\[[^]]*\] /m', '', (string) file_get_contents($log));
} else {
    echo "bool(true)\nbool(false)\nNULL\nalive\nbool(true)\nbool(false)\nNULL\nalive\n";
}
?>
--EXPECTF--
What cannot be profiled or saved: one line in the log, and the program is as it would be:
-- no folder
xhprof: cannot write a run to BASE/missing: No such file or directory
-- a file
xhprof: cannot write a run to BASE/file: Not a directory
-- a device
xhprof: cannot write a run to /dev/null: Not a directory
-- proc
xhprof: cannot write a run to /proc: No such file or directory
-- too long
xhprof: cannot write a run to /x...: File%wname too long
-- too long a name
xhprof: cannot write a run to TMP/x...: File%wname too long
-- open_basedir
xhprof: cannot write a run to BASE: it is not within open_basedir
-- spans
xhprof: cannot write a run to BASE/missing: No such file or directory
-- samples
xhprof: cannot write a run to BASE/missing: No such file or directory
-- allocations
xhprof: cannot write a run to BASE/missing: No such file or directory
-- full
xhprof: cannot write a run to /dev/full: Not a directory
-- removed meanwhile
xhprof: cannot write a run to BASE/gone: No such file or directory
-- exact without hooks
xhprof: no profile: xhprof.hooks is off: only sampling is possible
-- allocations without hooks
xhprof: no profile: xhprof.hooks is off: only sampling is possible
-- samples without hooks
1 runs
-- spans without hooks
xhprof: no profile: xhprof.hooks is off: only sampling is possible
Settings start nothing while opcache preloads; loaded by dl() there is nothing to profile with, and the log says so:
done
1 exact once
done
1 sample once
done
1 alloc once
bool(true)
bool(false)
NULL
alive
bool(true)
bool(false)
NULL
alive
xhprof: no profile: xhprof was loaded by dl() and cannot profile: put "extension=xhprof" into php.ini
xhprof: no profile: xhprof was loaded by dl() and cannot profile: put "extension=xhprof" into php.ini
