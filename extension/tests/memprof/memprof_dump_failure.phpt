--TEST--
memprof_dump_callgrind() and memprof_dump_pprof(): what cannot be written is an Exception, whatever the stream
--FILE--
<?php
require __DIR__ . '/../lib.inc';

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


error_reporting(0); // nobody would see a warning
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
