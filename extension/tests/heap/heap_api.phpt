--TEST--
xhprof_heap_snapshot(): its file, its options, its summary
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

echo "A heap snapshot's file: its owner's alone, whole or not at all; links, pipes, folders, devices:\n";

$folder = xhprof_test_folder();
/** What is there afterwards: names, modes, sizes. */
$show = static function (string $label, array $summary) use ($folder): void {
    clearstatcache();
    echo "$label: ", $summary === [] ? 'nothing' : 'a summary', "\n";
    foreach (xhprof_test_list($folder) as $name) {
        $path = "$folder/$name";
        echo "  $name ", is_link($path) ? 'link' : filetype($path), ' ', decoct(fileperms($path) & 0777),
            is_file($path) ? (filesize($path) > 10000 ? ' large' : ' small') : '', "\n";
    }
};
foreach ([0000, 0022, 0077] as $umask) {
    umask($umask);
    $show('umask ' . decoct($umask), xhprof_heap_snapshot("$folder/a"));
    unlink("$folder/a");
}
umask(0);
file_put_contents("$folder/a", 'before');
chmod("$folder/a", 0666);
$show('replaced', xhprof_heap_snapshot("$folder/a"));
unlink("$folder/a");

file_put_contents("$folder/other", 'of others');
symlink("$folder/other", "$folder/a");
$show('link', xhprof_heap_snapshot("$folder/a"));
unlink("$folder/a");
unlink("$folder/other");

mkdir("$folder/a", 0755);
$show('folder', xhprof_heap_snapshot("$folder/a"));
rmdir("$folder/a");
shell_exec('mkfifo -m 0600 ' . escapeshellarg("$folder/a"));
$show('pipe', xhprof_heap_snapshot("$folder/a"));
unlink("$folder/a");

chdir($folder);
$show('relative', xhprof_heap_snapshot('a'));
unlink("$folder/a");
$show('no folder', xhprof_heap_snapshot("$folder/none/a"));
$show('below a file', xhprof_heap_snapshot(__FILE__ . '/a'));
$show('long', xhprof_heap_snapshot("$folder/" . str_repeat('a', 300)));
$show('longer', xhprof_heap_snapshot("$folder/" . str_repeat('a/', 4000)));
$summary = xhprof_heap_snapshot('/dev/null');
$show('device', $summary);
echo filetype('/dev/null'), ' ', $summary['written'] > 10000 ? 'written' : 'not written', "\n";
is_writable('/dev/full') && $show('full', xhprof_heap_snapshot('/dev/full'));

echo "xhprof_heap_snapshot(): options that cannot be are refused, others are reported; the summary's shape:\n";

$folder = xhprof_test_folder();
$file = "$folder/a.heap.jsonl";
foreach (
    [
        ['', []],
        ["$folder/a\0b", []],
        [$file, ['format' => 'xml']],
        [$file, ['format' => 'reli']],
        [$file, ['format' => 'heapsnapshot']],
        [$file, ['format' => 1]],
        [$file, ['max_string' => -1]],
        [$file, ['max_string' => 1 << 40]],
        [$file, ['max_string' => '80']],
        [$file, ['max_string' => null]],
        [$file, ['redact' => 1]],
        [$file, ['handlers' => 'yes']],
        [$file, ['native' => null]],
        [$file, ['scalars' => 0.0]],
    ] as [$name, $options]
) {
    xhprof_test_throws(static fn () => xhprof_heap_snapshot($name, $options));
}
xhprof_test_throws(static fn () => xhprof_heap_snapshot());
echo implode(' ', xhprof_test_list($folder)), "no file\n";

$format = 'summary';
$summary = xhprof_heap_snapshot($file, ['format' => &$format, 'redact' => true, 'max_string' => 0, 'unheard_of' => 1, 7 => 8]);
echo implode(' ', array_keys($summary)), "\n";
foreach (['typed', 'native', 'unreachable'] as $tier) {
    echo implode(' ', array_keys($summary[$tier])), ' ';
}
echo "\n", implode(' ', array_unique(array_merge(...array_map('array_keys', array_values($summary['types']))))), "\n";
echo implode(' ', array_unique(array_merge(...array_map('array_keys', array_values($summary['classes']))))), "\n";
echo count(file($file)), ' lines of a summary, ', filesize($file) === $summary['written'] ? 'written' : 'other', "\n";
printf("%s %s\n", get_debug_type($summary['took_ms']), $summary['took_ms'] > 0 ? 'ms' : 'no time');

// An error handler that throws.
set_error_handler(static fn (int $type, string $text) => throw new ErrorException($text));
xhprof_test_throws(static fn () => xhprof_heap_snapshot("$folder/b", ['other' => 1]));
xhprof_test_throws(static fn () => xhprof_heap_snapshot("$folder/none/b"));
echo implode(' ', xhprof_test_list($folder)), "\n";
echo (new ReflectionFunction('xhprof_heap_snapshot')), "\n";
?>
--EXPECTF--
A heap snapshot's file: its owner's alone, whole or not at all; links, pipes, folders, devices:
umask 0: a summary
  a file 600 large
umask 22: a summary
  a file 600 large
umask 77: a summary
  a file 600 large
replaced: a summary
  a file 600 large
link: a summary
  a file 600 large
  other file 666 small

Warning: xhprof_heap_snapshot(): No snapshot to %s/a: Is a directory in %s on line %d
folder: nothing
  a dir 755

Warning: xhprof_heap_snapshot(): No snapshot to %s/a: Operation not permitted in %s on line %d
pipe: nothing
  a fifo 600
relative: a summary
  a file 600 large

Warning: xhprof_heap_snapshot(): No snapshot to %s/none/a: No such file or directory in %s on line %d
no folder: nothing

Warning: xhprof_heap_snapshot(): No snapshot to %s/a: Not a directory in %s on line %d
below a file: nothing

Warning: xhprof_heap_snapshot(): No snapshot to %s: File%wname too long in %s on line %d
long: nothing

Warning: xhprof_heap_snapshot(): No snapshot to %s: File%wname too long in %s on line %d
longer: nothing
device: a summary
char written

Warning: xhprof_heap_snapshot(): No snapshot to /dev/full: No space left on device in %s on line %d
full: nothing
xhprof_heap_snapshot(): options that cannot be are refused, others are reported; the summary's shape:
ValueError: xhprof_heap_snapshot(): Argument #1 ($file) cannot be empty
ValueError: xhprof_heap_snapshot(): Argument #1 ($file) must not contain any null bytes
ValueError: xhprof_heap_snapshot(): Option "format" must be "jsonl" or "summary"
ValueError: xhprof_heap_snapshot(): Option "format" cannot be "reli": take "jsonl", and run xhprof heap export FILE --format=reli
ValueError: xhprof_heap_snapshot(): Option "format" cannot be "heapsnapshot": take "jsonl", and run xhprof heap export FILE --format=heapsnapshot
TypeError: xhprof_heap_snapshot(): Option "format" must be of type string, int given
ValueError: xhprof_heap_snapshot(): Option "max_string" must be between 0 and 1048576
ValueError: xhprof_heap_snapshot(): Option "max_string" must be between 0 and 1048576
TypeError: xhprof_heap_snapshot(): Option "max_string" must be of type int, string given
TypeError: xhprof_heap_snapshot(): Option "max_string" must be of type int, null given
TypeError: xhprof_heap_snapshot(): Option "redact" must be of type bool, int given
TypeError: xhprof_heap_snapshot(): Option "handlers" must be of type bool, string given
TypeError: xhprof_heap_snapshot(): Option "native" must be of type bool, null given
TypeError: xhprof_heap_snapshot(): Option "scalars" must be of type bool, float given
ArgumentCountError: xhprof_heap_snapshot() expects at least 1 argument, 0 given
no file

Warning: xhprof_heap_snapshot(): Unknown option "unheard_of" is ignored in %s on line %d

Warning: xhprof_heap_snapshot(): Unknown option "(numeric)" is ignored in %s on line %d
nodes edges usage typed native unreachable shared_bytes outside_bytes typed_percent unreadable incomplete took_ms written types classes owners
bytes blocks bytes blocks bytes blocks 
count bytes size
count bytes size
2 lines of a summary, written
float ms
ErrorException: xhprof_heap_snapshot(): Unknown option "other" is ignored
ErrorException: xhprof_heap_snapshot(): No snapshot to %s/none/b: No such file or directory
a.heap.jsonl
Function [ <internal:xhprof> function xhprof_heap_snapshot ] {

  - Parameters [2] {
    Parameter #0 [ <required> string $file ]
    Parameter #1 [ <optional> array $options = [] ]
  }
  - Return [ array ]
}
