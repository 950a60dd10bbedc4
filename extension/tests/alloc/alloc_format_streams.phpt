--TEST--
A dump to a stream of the program's own, which works, starts and stops profiles, fails, throws or ends the program
--FILE--
<?php
require __DIR__ . '/../alloc_formats.inc';

final class Stream
{
    public static Closure $write;
    public static int $length = 0;
    public mixed $context;

    public function stream_open(string $path): bool { self::$length = 0; return true; }

    public function stream_write(string $bytes): int
    {
        self::$length += strlen($bytes);
        return (self::$write)($bytes);
    }

    public function stream_flush(): bool { return true; }
}

function several(): void
{
    for ($i = 0; $i < 1500; $i++) { // more than what is buffered
        Kept::$all["f$i"] = ("f$i")(100 + $i);
    }
}

for ($i = 0; $i < 1500; $i++) {
    eval("function f$i(\$length) { return text(\$length); }");
}

function dump(string $label, Closure $write): void
{
    Stream::$write = $write;
    $stream = fopen('test://', 'w');
    try {
        $written = @xhprof_alloc_dump($stream);
        $warning = error_get_last()['message'] ?? '';
        error_clear_last();
        echo "$label: ", json_encode($written), $warning === '' ? '' : " ($warning)", "\n";
        if ($written && Stream::$length < 40_000) {
            echo 'only ', Stream::$length, " bytes\n";
        }
    } catch (Exception $exception) {
        echo "$label: ", $exception->getMessage(), "\n";
    }
    fclose($stream);
}

stream_wrapper_register('test', Stream::class);
xhprof_enable(XHPROF_FLAGS_ALLOC);
keep();
several();
dump('works', static function (string $bytes): int {
    keep();
    ('f' . strlen($bytes) % 1500)(10);
    return strlen($bytes);
});
dump('throws', static fn (string $bytes): int => throw new Exception('no more'));
dump('takes nothing', static fn (string $bytes): int => 0);
dump('within another', static function (string $bytes): int {
    xhprof_alloc_dump(fopen('php://memory', 'w'));
    Stream::$write = strlen(...);
    return strlen($bytes);
});
dump('starts', static function (string $bytes): int {
    xhprof_enable();
    Stream::$write = strlen(...);
    return strlen($bytes);
});
dump('stops', static function (string $bytes): int {
    xhprof_disable();
    xhprof_enable();
    Stream::$write = strlen(...);
    return strlen($bytes);
});
echo strlen(xhprof_test_dump()) > 40_000 ? "goes on\n" : "is over\n";
register_shutdown_function(static function (): void {
    echo "shutdown function\n";
});
dump('ends the program', static fn (string $bytes) => exit("exit\n"));
?>
--EXPECT--
works: true
throws: no more
takes nothing: false (xhprof_alloc_dump(): The stream could not be written to)
within another: true (xhprof_alloc_dump(): A dump is being written already)
starts: true
stops: true
goes on
exit
shutdown function
