--TEST--
xhprof_alloc_dump(): wrong formats, options and streams are named, and tracking goes on
--FILE--
<?php
require __DIR__ . '/../alloc.inc';

function kept(): string { return str_repeat('x', 5000); }

function dump_with(mixed ...$arguments): void
{
    try {
        var_dump(xhprof_alloc_dump(...$arguments));
    } catch (Throwable $e) {
        printf("%s: %s\n", get_class($e), $e->getMessage());
    }
}

set_error_handler(static function (int $type, string $message): bool {
    echo [E_WARNING => 'Warning', E_NOTICE => 'Notice', E_DEPRECATED => 'Deprecated'][$type], ": $message\n";
    return true;
});
$folder = xhprof_test_folder();
$memory = fopen('php://memory', 'w+');
echo "-- nothing tracked\n";
dump_with($memory, 'json');
dump_with($memory, 'none');
dump_with('memory', 'json');
xhprof_enable(XHPROF_FLAGS_ALLOC);
$kept = kept();
$first = '';
foreach (['tracking', 'stopped'] as $state) {
    ob_start();
    dump_with();
    dump_with($memory, 'json', [], 1);
    foreach (['', 'Json', "json\0", 'xml', 'array-json', 'pprof', 'callgrind', 'folded', 'chrome'] as $format) {
        dump_with($memory, $format);
    }
    dump_with($memory, null);
    dump_with($memory, []);
    dump_with($memory, 'json', null);
    dump_with($memory, 'json', new stdClass());
    foreach ([1, 1.5, null, 'stream', [], new stdClass()] as $stream) {
        dump_with($stream, 'json');
    }
    dump_with(stream_context_create(), 'json');
    $closed = fopen('php://memory', 'w');
    fclose($closed);
    dump_with($closed, 'json');
    dump_with(opendir($folder), 'json');
    touch("$folder/file");
    dump_with(fopen("$folder/file", 'r'), 'json');
    dump_with(fopen('/dev/full', 'w'), 'json');
    foreach (['threshold' => [-1, '1', 1.5, null, true, []], 'types' => [1, 'yes', null, []], 'allocator' => ['', 'zend', 1, null]] as $option => $values) {
        foreach ($values as $value) {
            dump_with($memory, 'json', [$option => $value]);
        }
    }
    dump_with($memory, 'json', ['none' => 1, 'Types' => true, 7 => 1, '' => 1]);
    $true = true;
    dump_with($memory, 'json', ['types' => &$true, 'threshold' => PHP_INT_MAX, 'allocator' => 'all']);
    xhprof_test_print_live(xhprof_test_dump(['types' => false]), ';kept');
    $out = preg_replace('/Write of \d+/', 'Write of some', (string) ob_get_clean());
    echo "-- $state", $out === $first ? ": the same\n" : "\n$out";
    $first = $out;
    $state === 'tracking' && xhprof_disable();
}
echo "-- a handler that throws\n";
set_error_handler(static fn (int $type, string $message)
    => throw new ErrorException(preg_replace('/Write of \d+/', 'Write of some', $message)));
xhprof_enable(XHPROF_FLAGS_ALLOC);
$more = kept();
dump_with($memory, 'json', ['none' => 1]);
dump_with(fopen('/dev/full', 'w'), 'json');
dump_with(fopen("$folder/file", 'r'), 'json');
xhprof_test_print_live(xhprof_test_dump(['types' => false]), ';kept');
xhprof_disable();
?>
--EXPECT--
-- nothing tracked
Warning: xhprof_alloc_dump(): No allocations are tracked, and the last profile tracked none
bool(false)
ValueError: xhprof_alloc_dump(): Argument #2 ($format) must be "json"
TypeError: xhprof_alloc_dump(): Argument #1 ($stream) must be of type resource, string given
-- tracking
ArgumentCountError: xhprof_alloc_dump() expects at least 1 argument, 0 given
ArgumentCountError: xhprof_alloc_dump() expects at most 3 arguments, 4 given
ValueError: xhprof_alloc_dump(): Argument #2 ($format) must be "json"
ValueError: xhprof_alloc_dump(): Argument #2 ($format) must be "json"
ValueError: xhprof_alloc_dump(): Argument #2 ($format) must be "json"
ValueError: xhprof_alloc_dump(): Argument #2 ($format) must be "json"
ValueError: xhprof_alloc_dump(): Argument #2 ($format) must be "json"
ValueError: xhprof_alloc_dump(): Argument #2 ($format) cannot be "pprof": take "json", and run xhprof export FILE --format=pprof
ValueError: xhprof_alloc_dump(): Argument #2 ($format) cannot be "callgrind": take "json", and run xhprof export FILE --format=callgrind
ValueError: xhprof_alloc_dump(): Argument #2 ($format) cannot be "folded": take "json", and run xhprof export FILE --format=folded
ValueError: xhprof_alloc_dump(): Argument #2 ($format) cannot be "chrome": take "json", and run xhprof export FILE --format=chrome
Deprecated: xhprof_alloc_dump(): Passing null to parameter #2 ($format) of type string is deprecated
ValueError: xhprof_alloc_dump(): Argument #2 ($format) must be "json"
TypeError: xhprof_alloc_dump(): Argument #2 ($format) must be of type string, array given
TypeError: xhprof_alloc_dump(): Argument #3 ($options) must be of type array, null given
TypeError: xhprof_alloc_dump(): Argument #3 ($options) must be of type array, stdClass given
TypeError: xhprof_alloc_dump(): Argument #1 ($stream) must be of type resource, int given
TypeError: xhprof_alloc_dump(): Argument #1 ($stream) must be of type resource, float given
TypeError: xhprof_alloc_dump(): Argument #1 ($stream) must be of type resource, null given
TypeError: xhprof_alloc_dump(): Argument #1 ($stream) must be of type resource, string given
TypeError: xhprof_alloc_dump(): Argument #1 ($stream) must be of type resource, array given
TypeError: xhprof_alloc_dump(): Argument #1 ($stream) must be of type resource, stdClass given
TypeError: xhprof_alloc_dump(): supplied resource is not a valid stream resource
TypeError: xhprof_alloc_dump(): supplied resource is not a valid stream resource
Notice: xhprof_alloc_dump(): Stream is not writable
Warning: xhprof_alloc_dump(): The stream could not be written to
bool(false)
Notice: xhprof_alloc_dump(): Write of some bytes failed with errno=9 Bad file descriptor
Warning: xhprof_alloc_dump(): The stream could not be written to
bool(false)
Notice: xhprof_alloc_dump(): Write of some bytes failed with errno=28 No space left on device
Warning: xhprof_alloc_dump(): The stream could not be written to
bool(false)
ValueError: xhprof_alloc_dump(): Option "threshold" must be between 0 and 9223372036854775807
TypeError: xhprof_alloc_dump(): Option "threshold" must be of type int, string given
TypeError: xhprof_alloc_dump(): Option "threshold" must be of type int, float given
TypeError: xhprof_alloc_dump(): Option "threshold" must be of type int, null given
TypeError: xhprof_alloc_dump(): Option "threshold" must be of type int, bool given
TypeError: xhprof_alloc_dump(): Option "threshold" must be of type int, array given
TypeError: xhprof_alloc_dump(): Option "types" must be of type bool, int given
TypeError: xhprof_alloc_dump(): Option "types" must be of type bool, string given
TypeError: xhprof_alloc_dump(): Option "types" must be of type bool, null given
TypeError: xhprof_alloc_dump(): Option "types" must be of type bool, array given
ValueError: xhprof_alloc_dump(): Option "allocator" must be "zend_mm", "malloc" or "all"
ValueError: xhprof_alloc_dump(): Option "allocator" must be "zend_mm", "malloc" or "all"
TypeError: xhprof_alloc_dump(): Option "allocator" must be of type string, int given
TypeError: xhprof_alloc_dump(): Option "allocator" must be of type string, null given
Warning: xhprof_alloc_dump(): Unknown option "none" is ignored
Warning: xhprof_alloc_dump(): Unknown option "Types" is ignored
Warning: xhprof_alloc_dump(): Unknown option "(numeric)" is ignored
Warning: xhprof_alloc_dump(): Unknown option "" is ignored
bool(true)
bool(true)
main();kept;str_repeat: 8192 B in 1
-- stopped: the same
-- a handler that throws
ErrorException: xhprof_alloc_dump(): Unknown option "none" is ignored
ErrorException: xhprof_alloc_dump(): Write of some bytes failed with errno=28 No space left on device
ErrorException: xhprof_alloc_dump(): Write of some bytes failed with errno=9 Bad file descriptor
main();kept;str_repeat: 8192 B in 1
