--TEST--
However a request ends with allocations tracked, it ends as without
--FILE--
<?php
require __DIR__ . '/../alloc.inc';

class AtEnd
{
    public mixed $more = null;

    public function __construct(private string $name) { $this->more = [$this, str_repeat('x', 3000)]; }

    public function __destruct()
    {
        leaf();
        $GLOBALS['resurrected'][] = $this;
        echo "destructed $this->name\n";
    }
}

function leaf(): string { return str_repeat('y', 2000); }

function numbers(): Generator
{
    $kept = leaf();
    try {
        yield 1;
    } finally {
        leaf();
        echo "finally\n";
    }
}

function deep(int $n, string $way): int
{
    $kept = [$n];
    return ($n > 0 ? deep($n - 1, $way) : work($way)) + count($kept);
}

function work(string $way): int
{
    $GLOBALS['at_end'] = new AtEnd('global');
    $GLOBALS['gen'] = numbers();
    $GLOBALS['gen']->current();
    $GLOBALS['fiber'] = new Fiber(static function (): void {
        $kept = leaf();
        try {
            Fiber::suspend();
        } finally {
            leaf();
            echo "fiber's finally\n";
        }
    });
    $GLOBALS['fiber']->start();
    $local = new AtEnd('local');
    ob_start(static fn (string $s): string => $s . substr(leaf(), 0, 2));
    echo "end by $way\n";
    match ($way) {
        'exit' => exit(7),
        'exit in callback' => array_map(static fn () => exit(7), [1]),
        'exit in fiber' => (new Fiber(static fn () => exit(7)))->start(),
        'exit in generator' => (static function () {
            yield exit(7);
        })()->current(),
        'exit in destructor' => $GLOBALS['exits'] = new class () {
            public function __destruct() { leaf(); exit(7); }
        },
        'exception' => throw new Exception(leaf()),
        'exception in destructor' => $GLOBALS['throws'] = new class () {
            public function __destruct() { throw new Exception(leaf()); }
        },
        'handler' => set_exception_handler(static fn () => throw new Exception(leaf())) ?? throw new Exception('first'),
        'fatal' => eval('function leaf() {}'),
        'compile error' => eval('class X { abstract function f(); function f() {} }'),
        'time' => set_time_limit(1) && (static function (): void {
            // On one line, the one that the error names.
            for ($i = 0; ; $i++) { $GLOBALS['all'][$i % 100] = str_repeat('x', $i % 1000); }
        })(),
        'shutdown' => register_shutdown_function(static fn () => register_shutdown_function(static fn () => exit(strlen(leaf()) % 256))),
        'tick' => declare_ticks(),
        default => null,
    };
    return 0;
}

function declare_ticks(): void
{
    register_tick_function(static fn () => exit(strlen(leaf()) % 256));
    eval('declare(ticks=1); $a = 1; $b = 2;');
}

if (isset($argv[1])) {
    $argv[1] === 'time' || register_shutdown_function(static fn () => print(memory_get_usage() . ' ' . memory_get_peak_usage() . "\n"));
    deep(20, $argv[1]);
    return;
}
foreach (['return' => 0, 'exit' => 7, 'exit in callback' => 7, 'exit in fiber' => 7, 'exit in generator' => 7,
    'exit in destructor' => 7, 'exception' => 255, 'exception in destructor' => 255, 'handler' => 255, 'fatal' => 255,
    'compile error' => 255, 'time' => 255, 'shutdown' => 208, 'tick' => 208] as $way => $code) {
    $output = xhprof_test_same_tracked(__FILE__, [$way]);
    echo "$way: ", preg_match('/^exit code (\d+)/', $output, $m) ? $m[1] : 0,
        str_contains($output, "end by $way\n") ? '' : " without output: $output", "\n";
}
?>
--EXPECT--
return: 0
exit: 7
exit in callback: 7
exit in fiber: 7
exit in generator: 7
exit in destructor: 7
exception: 255
exception in destructor: 255
handler: 255
fatal: 255
compile error: 255
time: 255
shutdown: 208
tick: 208
