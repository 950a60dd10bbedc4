--TEST--
google-pprof reads memprof_dump_pprof()
--SKIPIF--
<?php
if (!trim((string) shell_exec('command -v google-pprof'))) {
    die('skip needs google-pprof (Debian: google-perftools)');
}
?>
--FILE--
<?php
require __DIR__ . '/../alloc_formats.inc';

$folder = xhprof_test_folder();
$before = str_repeat('b', 100_000);
memprof_enable();
keep();
$bytes = xhprof_test_json_bytes(xhprof_test_dump());
$stream = fopen("$folder/dump", 'w');
memprof_dump_pprof($stream);
memprof_disable();
fclose($stream);

exec('google-pprof --text --nodecount=1000 ' . escapeshellarg("$folder/dump") . ' 2>&1', $lines, $status);
echo "exit code $status\n";
foreach ($lines as $line) {
    if (preg_match('/^ *(\d+) +[\d.]+% +[\d.]+% +(\d+) +[\d.]+% (.+)$/', $line, $match)) {
        $all[$match[3]] = (int) $match[2];
    }
}
$wanted = xhprof_test_inclusive($bytes);
foreach (['keep', 'direct', 'ping', 'pong', 'text', 'Kept::fill', 'range'] as $function) {
    if ($all[$function] !== $wanted[$function]) {
        echo "$function: $all[$function] of $wanted[$function]\n";
    }
}
var_dump($all['root'] >= $all['keep'], isset($all['[before]']), isset($all['main']));
?>
--EXPECT--
exit code 0
bool(true)
bool(false)
bool(false)
