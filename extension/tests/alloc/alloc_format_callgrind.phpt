--TEST--
callgrind_annotate reads memprof_dump_callgrind(); recursion counts once
--SKIPIF--
<?php
require __DIR__ . '/../needs.inc';
xhprof_test_needs('usual figures');
if (!trim((string) shell_exec('command -v callgrind_annotate'))) {
    die('skip needs callgrind_annotate (Debian: valgrind)');
}
?>
--FILE--
<?php
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
memprof_enable();
keep();
$stream = fopen("$folder/memprof", 'w');
memprof_dump_callgrind($stream);
$bytes = xhprof_test_json_bytes(xhprof_test_dump());
fclose($stream);
memprof_disable();

/** Of the program's own: what dumps allocate is in one and not in the other. */
$functions = array_flip(['direct', 'keep', 'Kept::fill', 'pack', 'ping', 'pong', 'range', 'str_repeat', 'text']);
$own = static fn (array $of): array => array_intersect_key($of, $functions);
$exclusive = [];
foreach ($bytes as $path => $held) {
    $function = substr($path, (int) strrpos(";$path", ';'));
    $exclusive[$function] = ($exclusive[$function] ?? 0) + $held;
}
ksort($exclusive, SORT_STRING);
var_dump($own(annotated("$folder/memprof", 'no')) === $own($exclusive));

$inclusive = xhprof_test_inclusive($bytes);
ksort($inclusive, SORT_STRING);
$annotated = annotated("$folder/memprof", 'yes');
var_dump($own($annotated) === $own($inclusive), $annotated['root'] > $annotated['keep'], isset($annotated['main()']));
echo implode(' ', array_keys(array_filter($own($inclusive), static fn (int $held): bool => $held > 18_000))), "\n";
echo implode('', preg_grep('/^(events|fn=\(\d+\) root)/', file("$folder/memprof")));
?>
--EXPECTF--
bool(true)
bool(true)
bool(true)
bool(false)
Kept::fill direct keep pack ping pong range str_repeat text
events: Memory_Size_(bytes) BlocksCount
fn=(%d) root
