--TEST--
A program that gives up root's rights leaves its runs in the folder of the user that it has become, and none of root's
--EXTENSIONS--
posix
--SKIPIF--
<?php
require __DIR__ . '/../lib.inc';
if (!function_exists('posix_setuid') || !function_exists('proc_open') || posix_geteuid() !== 0) {
    die('skip needs root and posix');
}
if (!function_exists('pcntl_fork') || xhprof_test_sanitized()) {
    die('skip needs pcntl; the address sanitizer cannot fork beside a thread');
}
?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

$head = '<?php function work(): void { for ($i = 0; $i < 1000; $i++) { crc32("$i"); } $end = hrtime(true) + 10_000_000; while (hrtime(true) < $end) { } }
    function drop(): void { posix_setgid(33); posix_setuid(33) || print("it stays root\n"); } work(); ';
$programs = [
    'itself' => 'drop(); work();',
    'a forked child' => 'if (pcntl_fork() === 0) { drop(); work(); exit; } pcntl_wait($s);',
    'only for a while' => 'posix_seteuid(33); work(); posix_seteuid(0);',
    'between spans' => 'xhprof_begin_span("a"); work(); xhprof_end_span(); drop(); xhprof_begin_span("b"); work(); xhprof_end_span();',
    'within a span' => 'xhprof_begin_span("a"); work(); drop(); work(); xhprof_end_span();',
    'and changes its folder' => 'drop(); chdir("/"); work();',
    'and dies of a signal' => 'drop(); posix_kill(getmypid(), 15); while (true) { work(); }',
    'its own profile' => 'xhprof_enable(); work(); drop(); xhprof_disable(); xhprof_save("auto");',
];
$settings = ['start_with_request' => 'yes', 'sampling_interval' => 200, 'flush_seconds' => 3600];
foreach ($programs as $label => $code) {
    foreach (['exact', 'sample', 'alloc', 'aggregate'] as $mode) {
        $place = xhprof_test_folder();
        chmod($place, 01777);
        file_put_contents("$place/program.php", $head . $code);
        $ini = ['sys_temp_dir' => $place];
        foreach ($settings + ['mode' => $mode] as $name => $value) {
            $ini["xhprof.$name"] = $value;
        }
        $env = ['XHPROF_OUTPUT_DIR' => '', 'TMPDIR' => $place] + getenv();
        $child = xhprof_test_child("$place/program.php", [], $ini, ['posix'], null, $env);
        $found = [];
        foreach (glob("$place/xhprof-*") as $folder) {
            $files = array_diff(scandir($folder), ['.', '..']);
            $owners = array_unique([fileowner($folder), ...array_map(static fn (string $file): int => fileowner("$folder/$file"), $files)]);
            $runs = xhprof_test_run_names($folder);
            $data = $runs || preg_grep('/\.(spool|journal)$/', $files);
            $found[basename($folder)] = ($owners === [(int) substr(basename($folder), 7)] ? '' : 'of others, ')
                . ($mode === 'aggregate' ? ($data ? 'data' : 'nothing') : count($runs));
        }
        // What was lost is in the log.
        $found = array_filter($found, static fn (string $what): bool => $what !== 'nothing');
        $line = json_encode($found) . ($child['err'] === '' ? '' : " $child[err]") . ($child['out'] === '' ? '' : " $child[out]");
        echo "$label, $mode: $line\n";
    }
}
?>
--EXPECT--
itself, exact: {"xhprof-33":"1"}
itself, sample: {"xhprof-33":"1"}
itself, alloc: {"xhprof-33":"1"}
itself, aggregate: {"xhprof-33":"data"}
a forked child, exact: {"xhprof-0":"1","xhprof-33":"1"}
a forked child, sample: {"xhprof-0":"1","xhprof-33":"1"}
a forked child, alloc: {"xhprof-0":"1","xhprof-33":"1"}
a forked child, aggregate: {"xhprof-0":"data","xhprof-33":"data"}
only for a while, exact: {"xhprof-0":"1"}
only for a while, sample: {"xhprof-0":"1"}
only for a while, alloc: {"xhprof-0":"1"}
only for a while, aggregate: {"xhprof-0":"data"}
between spans, exact: {"xhprof-0":"2","xhprof-33":"1"}
between spans, sample: {"xhprof-0":"2","xhprof-33":"1"}
between spans, alloc: {"xhprof-0":"2","xhprof-33":"1"}
between spans, aggregate: {"xhprof-0":"data","xhprof-33":"data"}
within a span, exact: {"xhprof-0":"1","xhprof-33":"1"}
within a span, sample: {"xhprof-0":"1","xhprof-33":"1"}
within a span, alloc: {"xhprof-0":"1","xhprof-33":"1"}
within a span, aggregate: {"xhprof-0":"data","xhprof-33":"data"}
and changes its folder, exact: {"xhprof-33":"1"}
and changes its folder, sample: {"xhprof-33":"1"}
and changes its folder, alloc: {"xhprof-33":"1"}
and changes its folder, aggregate: {"xhprof-33":"data"}
and dies of a signal, exact: {"xhprof-33":"1"}
and dies of a signal, sample: {"xhprof-33":"1"}
and dies of a signal, alloc: {"xhprof-33":"1"}
and dies of a signal, aggregate: {"xhprof-33":"data"}
its own profile, exact: {"xhprof-0":"1","xhprof-33":"1"}
its own profile, sample: {"xhprof-0":"1","xhprof-33":"1"}
its own profile, alloc: {"xhprof-0":"1","xhprof-33":"1"}
its own profile, aggregate: {"xhprof-0":"data","xhprof-33":"data"}
