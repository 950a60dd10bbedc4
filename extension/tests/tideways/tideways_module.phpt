--TEST--
The module tideways_xhprof is there with xhprof: php -m, --ri, phpinfo(), without hooks; not with dl()
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('proc_open()'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

/** The lines that the command line prints about it. */
function lines(array $arguments, array $ini = [], bool $profiler = true): string
{
    $process = proc_open([...xhprof_test_command($ini, [], $profiler), ...$arguments], [1 => ['pipe', 'w'], 2 => ['pipe', 'w']], $pipes);
    $text = stream_get_contents($pipes[1]) . stream_get_contents($pipes[2]);
    $code = proc_close($process);
    return implode('', preg_grep('/^(tideways_xhprof|.*(Warning|Fatal error): |bool|array|no)/', preg_split('/(?<=\n)/', $text))) . "exit code $code\n";
}

echo "-- php -m\n", lines(['-m']);
echo "-- php --ri\n", lines(['--ri', 'tideways_xhprof']);
echo "-- phpinfo()\n", lines(['-i']);
echo "-- xhprof.hooks=off\n", lines(['-r', 'var_dump(extension_loaded("tideways_xhprof")); tideways_xhprof_enable(); var_dump(tideways_xhprof_disable());'], ['xhprof.hooks' => 'off']);
if (function_exists('dl')) {
    $ini = ['extension_dir' => dirname(xhprof_test_library()), 'enable_dl' => 1];
    echo "-- dl()\n", lines(['-r', 'dl("xhprof.so"); var_dump(extension_loaded("tideways_xhprof"), function_exists("tideways_xhprof_enable")); '], $ini, false);
}
?>
--EXPECT--
-- php -m
tideways_xhprof
exit code 0
-- php --ri
tideways_xhprof
tideways_xhprof => its functions, provided by xhprof
exit code 0
-- phpinfo()
tideways_xhprof
tideways_xhprof => its functions, provided by xhprof
exit code 0
-- xhprof.hooks=off
bool(true)
Warning: xhprof.hooks is off: only sampling is possible in Command line code on line 1
array(0) {
exit code 0
-- dl()
bool(false)
bool(false)
exit code 0
