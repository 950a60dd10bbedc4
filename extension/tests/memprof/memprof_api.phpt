--TEST--
memprof's functions: what each returns and throws, and dumps that cannot be written
--FILE--
<?php
require __DIR__ . '/../lib.inc';

echo "memprof's functions: what each returns and throws, switched on and off:\n";

function calls(): array
{
    return [
        static fn () => memprof_disable(),
        static fn () => memprof_dump_array(),
        static fn () => memprof_dump_callgrind(STDERR),
        static fn () => memprof_dump_pprof(STDERR),
    ];
}

echo "-- off\n";
var_dump(memprof_enabled());
echo json_encode(memprof_enabled_flags()), "\n";
array_map('xhprof_test_throws', calls());
echo "-- on\n";
var_dump(memprof_enable(), memprof_enabled());
echo json_encode(memprof_enabled_flags()), "\n";
xhprof_test_throws(static fn () => memprof_enable());
$all = range(1, 1000);
$dump = memprof_dump_array();
echo implode(' ', array_keys($dump)), "\n";
var_dump(array_intersect(['range', 'main', 'main()', '(before)'], array_keys($dump['called_functions'])));
echo $dump['memory_size_inclusive'] > 20_000 ? 'inclusive' : $dump['memory_size_inclusive'], "\n";
$range = $dump['called_functions']['range'];
xhprof_test_between('range()', $range['memory_size'], 16_000, 21_000);
echo $range['memory_size_inclusive'] - $range['memory_size'], " $range[blocks_count] $range[blocks_count_inclusive] $range[calls] ",
    json_encode($range['called_functions']), "\n";
foreach (['memprof_dump_callgrind', 'memprof_dump_pprof'] as $function) {
    $stream = fopen('php://memory', 'w+');
    var_dump($function($stream));
    rewind($stream);
    echo strlen(stream_get_contents($stream)) > 100 ? 'written' : 'nothing', "\n";
    fclose($stream);
    xhprof_test_throws(static fn () => $function($stream));
    xhprof_test_throws(static fn () => $function('string'));
    xhprof_test_throws(static fn () => $function());
}
var_dump(memprof_enabled());
echo "-- off again\n";
var_dump(memprof_disable(), memprof_enabled());
array_map('xhprof_test_throws', calls());
echo "-- on again\n";
var_dump(memprof_enable(), memprof_enabled());
$dump = memprof_dump_array();
echo isset($dump['called_functions']['range']) ? 'not forgotten' : 'forgotten', "\n";
var_dump(memprof_disable());
var_dump(memprof_version() === phpversion('xhprof'));
foreach (['memprof_enable', 'memprof_disable', 'memprof_enabled', 'memprof_enabled_flags', 'memprof_dump_array',
    'memprof_version'] as $function) {
    xhprof_test_throws(static fn () => $function(1));
}

echo "memprof_dump_callgrind() and memprof_dump_pprof(): what cannot be written is an Exception, whatever the stream:\n";

/** A stream that takes so many bytes. */
final class Takes
{
    public static int $room;
    public mixed $context;

    public function stream_open(string $path, string $mode, int $options, ?string &$opened): bool
    {
        return true;
    }

    public function stream_write(string $bytes): int
    {
        $taken = min(self::$room, strlen($bytes));
        self::$room -= $taken;
        return $taken;
    }
}


error_reporting(0); // a warning would not be shown
stream_wrapper_register('takes', Takes::class);
memprof_enable();
$kept = range(1, 1000);
$streams = [
    'read only' => static fn () => fopen(__FILE__, 'r'),
    'no room' => static fn () => is_writable('/dev/full') ? fopen('/dev/full', 'w') : fopen(__FILE__, 'r'),
    'of the program, full at once' => static function () {
        Takes::$room = 0;
        return fopen('takes://', 'w');
    },
    'of the program, full later' => static function () {
        Takes::$room = 300;
        return fopen('takes://', 'w');
    },
    'a pipe that nothing reads' => static function () {
        [$one, $other] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, STREAM_IPPROTO_IP);
        fclose($other);
        return $one;
    },
];
foreach ($streams as $what => $open) {
    echo "-- $what\n";
    foreach (['memprof_dump_callgrind', 'memprof_dump_pprof'] as $function) {
        xhprof_test_throws(static fn () => $function($open()));
    }
}
echo "-- then\n";
$stream = fopen('php://memory', 'w+');
memprof_dump_callgrind($stream);
echo ftell($stream) > 100 ? "written\n" : "nothing\n";
echo memprof_dump_array()['called_functions']['range']['calls'], "\n";
var_dump(memprof_disable());
?>
--EXPECT--
memprof's functions: what each returns and throws, switched on and off:
-- off
bool(false)
{"enabled":false,"native":false,"dump_on_limit":false}
Exception: memprof_disable(): memprof is not enabled
Exception: memprof_dump_array(): memprof is not enabled
Exception: memprof_dump_callgrind(): memprof is not enabled
Exception: memprof_dump_pprof(): memprof is not enabled
-- on
bool(true)
bool(true)
{"enabled":true,"native":false,"dump_on_limit":false}
Exception: memprof_enable(): memprof is already enabled
memory_size blocks_count memory_size_inclusive blocks_count_inclusive calls called_functions
array(1) {
  [0]=>
  string(5) "range"
}
inclusive
range(): ok
0 2 2 1 []
NULL
written
TypeError: memprof_dump_callgrind(): supplied resource is not a valid stream resource
TypeError: memprof_dump_callgrind(): Argument #1 ($handle) must be of type resource, string given
ArgumentCountError: memprof_dump_callgrind() expects exactly 1 argument, 0 given
NULL
written
TypeError: memprof_dump_pprof(): supplied resource is not a valid stream resource
TypeError: memprof_dump_pprof(): Argument #1 ($handle) must be of type resource, string given
ArgumentCountError: memprof_dump_pprof() expects exactly 1 argument, 0 given
bool(true)
-- off again
bool(true)
bool(false)
Exception: memprof_disable(): memprof is not enabled
Exception: memprof_dump_array(): memprof is not enabled
Exception: memprof_dump_callgrind(): memprof is not enabled
Exception: memprof_dump_pprof(): memprof is not enabled
-- on again
bool(true)
bool(true)
forgotten
bool(true)
bool(true)
ArgumentCountError: memprof_enable() expects exactly 0 arguments, 1 given
ArgumentCountError: memprof_disable() expects exactly 0 arguments, 1 given
ArgumentCountError: memprof_enabled() expects exactly 0 arguments, 1 given
ArgumentCountError: memprof_enabled_flags() expects exactly 0 arguments, 1 given
ArgumentCountError: memprof_dump_array() expects exactly 0 arguments, 1 given
ArgumentCountError: memprof_version() expects exactly 0 arguments, 1 given
memprof_dump_callgrind() and memprof_dump_pprof(): what cannot be written is an Exception, whatever the stream:
-- read only
Exception: memprof_dump_callgrind(): dump failed, please check file permissions or disk capacity
Exception: memprof_dump_pprof(): dump failed, please check file permissions or disk capacity
-- no room
Exception: memprof_dump_callgrind(): dump failed, please check file permissions or disk capacity
Exception: memprof_dump_pprof(): dump failed, please check file permissions or disk capacity
-- of the program, full at once
Exception: memprof_dump_callgrind(): dump failed, please check file permissions or disk capacity
Exception: memprof_dump_pprof(): dump failed, please check file permissions or disk capacity
-- of the program, full later
Exception: memprof_dump_callgrind(): dump failed, please check file permissions or disk capacity
Exception: memprof_dump_pprof(): dump failed, please check file permissions or disk capacity
-- a pipe that nothing reads
Exception: memprof_dump_callgrind(): dump failed, please check file permissions or disk capacity
Exception: memprof_dump_pprof(): dump failed, please check file permissions or disk capacity
-- then
written
1
bool(true)
