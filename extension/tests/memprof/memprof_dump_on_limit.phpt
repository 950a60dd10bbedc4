--TEST--
MEMPROF_PROFILE=dump_on_limit: at memory_limit the profile is a file, the error is the same
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../alloc.inc';

function leaf(int $size): string { return str_repeat('x', $size); }

function eats(int $size): void
{
    $all = [];
    while (true) {
        $all[] = leaf($size);
    }
}

function deep(int $n): string { return deep($n + 1) . leaf(10); }

if (isset($argv[1])) {
    register_shutdown_function(static function (): void {
        echo 'shutdown: ', error_get_last()['message'] ?? '', ' ', PHP_DEBUG ? '' : memory_get_usage() . ' ' . memory_get_peak_usage(), "\n";
    });
    $argv[1] === 'deep' ? deep(0) : eats((int) $argv[1]);
}

$folder = xhprof_test_folder();
$env = array_diff_key(getenv(), ['MEMPROF_PROFILE' => '']);
$limit = static function (string $how, string $variable, array $ini) use ($env): array {
    $ini += ['memory_limit' => '16M', 'log_errors' => 0, 'xhprof.alloc_max_records' => 1_000_000];
    $child = xhprof_test_child(__FILE__, [$how], $ini, [], null, [$variable => 'dump_on_limit'] + $env);
    return ['out' => xhprof_test_no_source($child['out'])] + $child;
};
foreach (['callgrind' => 'events: ', 'pprof' => '--- profile'] as $format => $mark) {
    foreach (['10', '3000000', '104857600', 'deep'] as $how) {
        $ini = ['memprof.output_dir' => $folder, 'memprof.output_format' => $format];
        $plain = $limit($how, 'MEMPROF_IS_NOT_', $ini);
        $child = $limit($how, 'MEMPROF_PROFILE', $ini);
        echo "$format, $how: ", $plain['out'] === $child['out'] && $child['code'] === $plain['code'] ? 'the same' : $child['out'];
        $files = xhprof_test_list($folder);
        echo ', ', count($files), ' file', count($files) === 1 && preg_match("/^memprof\.$format\.\d+$/", $files[0]) ? '' : json_encode($files);
        echo $files && (fileperms("$folder/$files[0]") & 0777) !== 0600 ? ', readable by others' : '';
        $text = $files ? file_get_contents("$folder/$files[0]") : '';
        echo ', ', str_contains($text, $mark) ? 'of its format' : substr($text, 0, 1000);
        $holds = ['deep' => ' deep', '104857600' => ' root'][$how] ?? ' leaf';
        echo str_contains($text, $holds) ? "\n" : ", of something else\n";
        echo str_replace($files ? "$folder/$files[0]" : '-', 'FILE', $child['err']);
        array_map('unlink', glob("$folder/*"));
    }
}

echo "-- where it cannot be written\n";
touch("$folder/file");
$folders = [
    'a file' => "$folder/file",
    'missing' => "$folder/none",
    'long' => "$folder/" . str_repeat('long/', 1000),
    'full' => '/dev/full',
    'empty' => '',
];
foreach ($folders as $what => $name) {
    $plain = $limit('3000', 'MEMPROF_IS_NOT_', ['memprof.output_dir' => $name]);
    $child = $limit('3000', 'MEMPROF_PROFILE', ['memprof.output_dir' => $name]);
    echo "$what: ", $plain['out'] === $child['out'] && $child['code'] === $plain['code'] ? 'the same' : $child['out'], "\n";
    if (preg_match('~ is (/tmp/memprof\.callgrind\.\d+)$~', $child['err'], $m)) {
        echo "one in /tmp\n", unlink($m[1]) ? '' : $m[1];
    } else {
        echo preg_replace('~(long/)+[long]*~', 'long/', str_replace($folder, 'FOLDER', $child['err']));
    }
}
?>
--EXPECTF--
callgrind, 10: the same, 1 file, of its format
xhprof: the memory profile at memory_limit is FILE
callgrind, 3000000: the same, 1 file, of its format
xhprof: the memory profile at memory_limit is FILE
callgrind, 104857600: the same, 1 file, of its format
xhprof: the memory profile at memory_limit is FILE
callgrind, deep: the same, 1 file, of its format
xhprof: the memory profile at memory_limit is FILE
pprof, 10: the same, 1 file, of its format
xhprof: the memory profile at memory_limit is FILE
pprof, 3000000: the same, 1 file, of its format
xhprof: the memory profile at memory_limit is FILE
pprof, 104857600: the same, 1 file, of its format
xhprof: the memory profile at memory_limit is FILE
pprof, deep: the same, 1 file, of its format
xhprof: the memory profile at memory_limit is FILE
-- where it cannot be written
a file: the same
xhprof: no memory profile can be written at memory_limit: memprof.output_dir is FOLDER/file: Not a directory
xhprof: no memory profile at memory_limit: FOLDER/file: Not a directory
missing: the same
xhprof: no memory profile can be written at memory_limit: memprof.output_dir is FOLDER/none: No such file or directory
xhprof: no memory profile at memory_limit: FOLDER/none: No such file or directory
long: the same
xhprof: no memory profile can be written at memory_limit: memprof.output_dir is FOLDER/long/: File%wname too long
xhprof: no memory profile at memory_limit: FOLDER/long/: File%wname too long
full: the same
xhprof: no memory profile can be written at memory_limit: memprof.output_dir is /dev/full: Not a directory
xhprof: no memory profile at memory_limit: /dev/full: Not a directory
empty: the same
one in /tmp
