--TEST--
Code of the program that runs when the request is over for the profiler starts nothing, whatever it calls and whatever the hooks
--FILE--
<?php
require __DIR__ . '/../lib.inc';

/** Calls everything that starts something, and everything that ends or reads it. */
function everything(): void
{
    set_error_handler(static function (int $level, string $message): bool {
        echo $message, "\n";
        return true;
    });
    $stream = fopen('php://memory', 'w');
    foreach ([
        'xhprof_enable' => static fn () => xhprof_enable(XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY),
        'xhprof_enable, alloc' => static fn () => xhprof_enable(XHPROF_FLAGS_ALLOC),
        'xhprof_sample_enable' => static fn () => xhprof_sample_enable(['interval' => 100]),
        'memprof_enable' => memprof_enable(...),
        'xhprof_begin_span' => static fn () => xhprof_begin_span('late'),
    ] as $name => $start) {
        try {
            $start();
        } catch (Throwable $e) {
            echo "$name: {$e->getMessage()}\n";
        }
        echo strrev('nettirw'), memprof_enabled() ? " $name is on" : '', "\n";
    }
    var_dump(xhprof_disable(), xhprof_sample_disable(), xhprof_call_tree());
    xhprof_end_span();
    restore_error_handler();
}

final class Wrapper
{
    /** @var resource|null */
    public $context;

    public function stream_open(): bool { return true; }

    public function stream_close(): void
    {
        everything();
        array_map(static fn (int $n): int => $n * 2, [1, 2, 3]);
    }
}

final class Handler extends SessionHandler
{
    public function open(string $path, string $name): bool { return true; }
    public function close(): bool { return true; }
    public function create_sid(): string { return 'late'; }
    public function read(string $id): string { return ''; }
    public function write(string $id, string $data): bool { everything(); return true; }
}

if (isset($argv[1])) {
    foreach ([1, 2, 3] as $n) {
        $kept[] = static fn (): int => $n;
        $kept[0]();
    }
    if ($argv[1] === 'stream') {
        stream_wrapper_register('late', Wrapper::class);
        $GLOBALS['open'] = fopen('late://', 'r');
    } else {
        ini_set('session.use_cookies', '0');
        ini_set('session.gc_probability', '0'); // else one start in a hundred collects garbage
        session_set_save_handler(new Handler(), false);
        session_start();
        $_SESSION['key'] = 'value';
    }
    exit(0);
}
$seen = [];
foreach (array_merge(['stream'], class_exists('SessionHandler') ? ['session'] : []) as $place) {
    foreach (['auto', 'walk', 'off'] as $hooks) {
        foreach ($hooks === 'off' ? ['no'] : ['no', 'yes'] as $start) {
            $ini = ['xhprof.hooks' => $hooks, 'xhprof.start_with_request' => $start, 'xhprof.mode' => 'alloc',
                'xhprof.output_dir' => xhprof_test_folder(), 'log_errors' => 0];
            $child = xhprof_test_child(__FILE__, [$place], $ini, [], null, ['USE_ZEND_ALLOC' => $start === 'yes' ? '1' : '0'] + getenv());
            $seen[$child['code'] . $child['err'] . $child['out']][] = "$place $hooks $start";
        }
    }
}
foreach ($seen as $outcome => $where) {
    echo count($seen) > 1 ? implode(', ', $where) . "\n" : '', $outcome;
}
?>
--EXPECT--
0xhprof_enable(): The request is over
written
xhprof_enable(): The request is over
written
xhprof_sample_enable(): The request is over
written
memprof_enable(): The request is over
written
xhprof_begin_span(): The request is over
written
NULL
NULL
NULL
xhprof_end_span(): No span has begun
