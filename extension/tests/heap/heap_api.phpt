--TEST--
xhprof_heap_snapshot(): options that cannot be are refused, others are reported; the summary's shape
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

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
