--TEST--
callgrind_annotate reads xhprof_alloc_dump() and memprof_dump_callgrind(); recursion counts once
--SKIPIF--
<?php
require __DIR__ . '/../lib.inc';
if (($why = xhprof_test_other_figures()) !== null) {
    die("skip $why");
}
if (!trim((string) shell_exec('command -v callgrind_annotate'))) {
    die('skip needs callgrind_annotate (Debian: valgrind)');
}
?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../alloc.inc';
require __DIR__ . '/../alloc_formats.inc';

/** @return array<string, int> bytes by function */
function annotated(string $file, string $inclusive): array
{
    exec('callgrind_annotate --threshold=100 --inclusive=' . $inclusive . ' ' . escapeshellarg($file) . ' 2>&1', $lines, $status);
    $bytes = $status === 0 ? [] : ["callgrind_annotate ends with $status" => 1];
    foreach ($lines as $line) {
        if (preg_match('/^ *([\d,]+) \([ \d.]+%\) .* php:(.+?) *$/', $line, $match)) {
            $bytes[$match[2]] = (int) str_replace(',', '', $match[1]);
        } elseif (preg_match('/warning|malformed/i', $line)) {
            echo "$line\n";
        }
    }
    ksort($bytes, SORT_STRING);
    return array_filter($bytes);
}

$folder = xhprof_test_folder();
xhprof_enable(XHPROF_FLAGS_ALLOC);
keep();
xhprof_disable();
file_put_contents("$folder/dump", xhprof_test_dump([], 'callgrind'));
$bytes = xhprof_test_json_bytes(xhprof_test_dump());

$exclusive = [];
foreach ($bytes as $path => $held) {
    $function = substr($path, (int) strrpos(";$path", ';'));
    $exclusive[$function] = ($exclusive[$function] ?? 0) + $held;
}
ksort($exclusive, SORT_STRING);
var_dump(annotated("$folder/dump", 'no') === $exclusive);

$inclusive = xhprof_test_inclusive($bytes) + ['root' => array_sum($bytes)];
ksort($inclusive, SORT_STRING);
var_dump(annotated("$folder/dump", 'yes') === $inclusive);
echo implode(' ', array_keys(array_filter($inclusive, static fn (int $held): bool => $held > 18_000))), "\n";

memprof_enable();
keep();
$stream = fopen("$folder/memprof", 'w');
memprof_dump_callgrind($stream);
fclose($stream);
$annotated = annotated("$folder/memprof", 'yes');
var_dump(array_intersect_key($annotated, ['ping' => 1, 'pong' => 1]) === array_intersect_key($inclusive, ['ping' => 1, 'pong' => 1]));
echo implode('', preg_grep('/^(events|fn=\(\d+\) root)/', file("$folder/memprof")));
?>
--EXPECTF--
bool(true)
bool(true)
(before) Kept::fill direct keep main() pack ping pong range root str_repeat text
bool(true)
events: Memory_Size_(bytes) BlocksCount
fn=(%d) root
