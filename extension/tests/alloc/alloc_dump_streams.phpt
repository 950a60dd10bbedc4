--TEST--
Dumps to streams of the program's own, which throw, fail, exit, allocate, and call the profiler
--FILE--
<?php
require __DIR__ . '/../alloc.inc';

class Stream
{
    public $context;
    public static string $how = '';
    public static string $got = '';
    public static array $kept = [];

    public function stream_open(string $path, string $mode, int $options, ?string &$opened): bool
    {
        self::$got = '';
        return true;
    }

    public function stream_write(string $data): int
    {
        self::$got .= $data;
        switch (self::$how) {
            case 'throws':
                throw new DomainException('thrown by the stream');
            case 'exits':
                echo 'exits in a ', memprof_enabled() ? 'tracking' : 'profile', "\n";
                exit(0);
            case 'nothing':
                return 0;
            case 'half':
                return intdiv(strlen($data) + 1, 2);
            case 'more':
                return strlen($data) + 10;
            case 'negative':
                return -1;
            case 'triggers':
                trigger_error('triggered', E_USER_WARNING);
                break;
            case 'fatal':
                eval('class Stream {}');
                break;
            case 'limit':
                self::$got = str_repeat('x', 1 << 30);
                break;
            case 'stops':
                var_dump(memprof_enabled() ? memprof_disable() : xhprof_disable());
                break;
            case 'starts':
                xhprof_enable(XHPROF_FLAGS_ALLOC);
                xhprof_sample_enable();
                var_dump(memprof_enabled() || memprof_enable());
                break;
            case 'dumps':
                var_dump(xhprof_alloc_dump(fopen('php://memory', 'w'), 'json'));
                var_dump(xhprof_call_tree() !== null);
                memprof_enabled() && xhprof_test_throws(static fn () => memprof_dump_array());
                break;
            case 'marks':
                var_dump(xhprof_alloc_mark() > 0);
                break;
            case 'saves':
                xhprof_test_throws(static fn () => xhprof_save());
                break;
            case 'allocates':
                for ($i = 0; $i < 20_000; $i++) {
                    self::$kept[] = str_repeat('x', $i % 1000);
                    $i % 3 || array_pop(self::$kept);
                }
                eval('function made' . count(self::$kept) . '() {}');
                break;
            case 'frees':
                $GLOBALS['all'] = null;
                break;
            case 'fiber':
            case 'abandoned':
                Fiber::suspend('in a fiber');
                break;
        }
        return strlen($data);
    }

    public function stream_close(): void
    {
    }

    public function stream_flush(): bool { return true; }
}

function many(): array
{
    $all = [];
    for ($i = 0; $i < 200; $i++) {
        $all[] = eval("return (static fn (): string => str_repeat('x', 300))();");
    }
    return $all;
}

function kept(): string { return str_repeat('x', 5000); }

if (isset($argv[1])) {
    [, $session, Stream::$how] = $argv;
    error_reporting(E_ALL);
    stream_wrapper_register('own', Stream::class);
    putenv('XHPROF_OUTPUT_DIR=/nonexistent');
    $session === 'memprof' ? memprof_enable() : xhprof_enable(XHPROF_FLAGS_ALLOC);
    $all = many();
    $kept = kept();
    $session === 'stopped' && xhprof_disable();
    foreach ([['types' => true], ['types' => false]] as $n => $options) {
        $stream = fopen('own://', 'w');
        ob_start();
        try {
            if (Stream::$how === 'abandoned') {
                $fiber = new Fiber(static fn () => xhprof_alloc_dump($stream, 'json', $options));
                echo $fiber->start(), "\n";
                unset($fiber);
            } elseif (Stream::$how === 'fiber') {
                $fiber = new Fiber(static fn () => xhprof_alloc_dump($stream, 'json', $options));
                for ($out = $fiber->start(); !$fiber->isTerminated(); $out = $fiber->resume()) {
                    echo "$out\n";
                    xhprof_alloc_dump(fopen('php://memory', 'w'), 'json');
                    var_dump(xhprof_disable());
                }
                var_dump($fiber->getReturn());
            } else {
                var_dump(xhprof_alloc_dump($stream, 'json', $options));
            }
        } catch (DomainException $e) {
            echo $e->getMessage(), "\n";
        }
        $out = preg_replace('/\(\d+ written, \d+ max\)/', '', (string) ob_get_clean());
        $same = ($before ?? '') === $out;
        echo ['with types', 'without'][$n], strlen(Stream::$got) > 100 ? '' : ', nothing written', $same ? ": the same\n" : ":\n$out";
        $before = $out;
    }
    if ($session === 'memprof' && !isset($fiber) && Stream::$how !== 'abandoned') {
        try {
            var_dump(memprof_dump_callgrind($stream));
        } catch (Exception $e) {
            echo $e->getMessage(), "\n";
        }
    }
    Stream::$how = '';
    xhprof_test_print_live(xhprof_test_dump(['types' => false]), ';kept');
    $session === 'memprof' ? memprof_disable() : xhprof_disable();
    exit(0);
}
foreach (['throws', 'exits', 'nothing', 'half', 'more', 'negative', 'triggers', 'fatal', 'limit', 'stops', 'starts', 'dumps',
    'marks', 'saves', 'allocates', 'frees', 'fiber', 'abandoned'] as $how) {
    foreach (['profile', 'stopped', 'memprof'] as $session) {
        $cases["$how, $session"] = [$session, $how];
    }
}
xhprof_test_alike($cases, static function (array $arguments): void {
    $child = xhprof_test_child(__FILE__, $arguments);
    echo $child['code'] ? "exit code {$child['code']}\n" : '', preg_replace(
        ['/ in .* on line \d+/', '/\(\d+ written, \d+ max\)/', '/(Fatal error: (Cannot|Allowed)).*/'],
        ['', '', '$1'],
        $child['out']
    ), $child['err'];
});
?>
--EXPECT--
-- throws, profile
with types:
thrown by the stream
without: the same
main();kept;str_repeat: 8192 B in 1
-- throws, stopped: as throws, profile
-- throws, memprof
with types:
thrown by the stream
without: the same
thrown by the stream
main();kept;str_repeat: 8192 B in 1
-- exits, profile
exits in a profile
-- exits, stopped: as exits, profile
-- exits, memprof
exits in a tracking
-- nothing, profile
with types:

Warning: xhprof_alloc_dump(): The stream could not be written to
bool(false)
without: the same
main();kept;str_repeat: 8192 B in 1
-- nothing, stopped: as nothing, profile
-- nothing, memprof
with types:

Warning: xhprof_alloc_dump(): The stream could not be written to
bool(false)
without: the same
memprof_dump_callgrind(): dump failed, please check file permissions or disk capacity
main();kept;str_repeat: 8192 B in 1
-- half, profile
with types:
bool(true)
without: the same
main();kept;str_repeat: 8192 B in 1
-- half, stopped: as half, profile
-- half, memprof
with types:
bool(true)
without: the same
NULL
main();kept;str_repeat: 8192 B in 1
-- more, profile
with types:

Warning: xhprof_alloc_dump(): Stream::stream_write wrote 10 bytes more data than requested 
bool(true)
without: the same
main();kept;str_repeat: 8192 B in 1
-- more, stopped: as more, profile
-- more, memprof
with types:

Warning: xhprof_alloc_dump(): Stream::stream_write wrote 10 bytes more data than requested 
bool(true)
without: the same

Warning: memprof_dump_callgrind(): Stream::stream_write wrote 10 bytes more data than requested 
NULL
main();kept;str_repeat: 8192 B in 1
-- negative, profile: as nothing, profile
-- negative, stopped: as nothing, profile
-- negative, memprof: as nothing, memprof
-- triggers, profile
with types:

Warning: triggered
bool(true)
without: the same
main();kept;str_repeat: 8192 B in 1
-- triggers, stopped: as triggers, profile
-- triggers, memprof
with types:

Warning: triggered
bool(true)
without: the same

Warning: triggered
NULL
main();kept;str_repeat: 8192 B in 1
-- fatal, profile
exit code 255

Fatal error: Cannot
-- fatal, stopped: as fatal, profile
-- fatal, memprof: as fatal, profile
-- limit, profile
exit code 255

Fatal error: Allowed
-- limit, stopped: as limit, profile
-- limit, memprof: as limit, profile
-- stops, profile
with types:
NULL
bool(true)
without: the same
main();kept;str_repeat: 8192 B in 1
-- stops, stopped: as stops, profile
-- stops, memprof
with types:
bool(false)
bool(true)
without: the same
bool(false)
NULL
main();kept;str_repeat: 8192 B in 1
-- starts, profile
with types:

Warning: memprof_enable(): Another profile is running
bool(false)
bool(true)
without: the same
main();kept;str_repeat: 8192 B in 1
-- starts, stopped: as starts, profile
-- starts, memprof
with types:

Warning: xhprof_enable(): Cannot profile while memprof_enable() tracks memory

Warning: xhprof_sample_enable(): Cannot profile while memprof_enable() tracks memory
bool(true)
bool(true)
without: the same

Warning: xhprof_enable(): Cannot profile while memprof_enable() tracks memory

Warning: xhprof_sample_enable(): Cannot profile while memprof_enable() tracks memory
bool(true)
NULL
main();kept;str_repeat: 8192 B in 1
-- dumps, profile
with types:

Warning: xhprof_alloc_dump(): A dump is being written already
bool(false)
bool(false)
bool(true)
without: the same
main();kept;str_repeat: 8192 B in 1
-- dumps, stopped
with types:

Warning: xhprof_alloc_dump(): A dump is being written already
bool(false)
bool(true)
bool(true)
without: the same
main();kept;str_repeat: 8192 B in 1
-- dumps, memprof
with types:

Warning: xhprof_alloc_dump(): A dump is being written already
bool(false)
bool(false)
Exception: memprof_dump_array(): A dump is being written already
bool(true)
without: the same

Warning: xhprof_alloc_dump(): A dump is being written already
bool(false)
bool(false)
Exception: memprof_dump_array(): A dump is being written already
NULL
main();kept;str_repeat: 8192 B in 1
-- marks, profile
with types:
bool(true)
bool(true)
without: the same
main();kept;str_repeat: 8192 B in 1
-- marks, stopped
with types:
bool(false)
bool(true)
without: the same
main();kept;str_repeat: 8192 B in 1
-- marks, memprof
with types:
bool(true)
bool(true)
without: the same
bool(true)
NULL
main();kept;str_repeat: 8192 B in 1
-- saves, profile
with types:
RuntimeException: xhprof_save(): There is no stopped profile to save
bool(true)
without: the same
main();kept;str_repeat: 8192 B in 1
-- saves, stopped
with types:

Warning: xhprof_save(): A dump is being written already
RuntimeException: xhprof_save(): Cannot write a run to /nonexistent: No such file or directory
bool(true)
without: the same
main();kept;str_repeat: 8192 B in 1
-- saves, memprof
with types:
RuntimeException: xhprof_save(): There is no stopped profile to save
bool(true)
without: the same
RuntimeException: xhprof_save(): There is no stopped profile to save
NULL
main();kept;str_repeat: 8192 B in 1
-- allocates, profile: as half, profile
-- allocates, stopped: as half, profile
-- allocates, memprof: as half, memprof
-- frees, profile: as half, profile
-- frees, stopped: as half, profile
-- frees, memprof: as half, memprof
-- fiber, profile
with types:
in a fiber

Warning: xhprof_alloc_dump(): A dump is being written already
NULL
bool(true)
without: the same
main();kept;str_repeat: 8192 B in 1
-- fiber, stopped: as fiber, profile
-- fiber, memprof: as fiber, profile
-- abandoned, profile
with types:
in a fiber
without: the same
main();kept;str_repeat: 8192 B in 1
-- abandoned, stopped: as abandoned, profile
-- abandoned, memprof: as abandoned, profile
