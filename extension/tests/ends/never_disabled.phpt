--TEST--
A session nobody stops: the process ends as if there was none
--FILE--
<?php
require __DIR__ . '/../lib.inc';

class AtEnd
{
    public function __destruct() { leaf(); echo "destructed\n"; }
}

function leaf(): void { static $n; $n++; }

function gen(): Generator
{
    try {
        yield 1;
    } finally {
        leaf();
        echo "finally\n";
    }
}

function work(string $way): void
{
    $GLOBALS['at_end'] = new AtEnd();
    $GLOBALS['gen'] = gen();
    $GLOBALS['gen']->current();
    $GLOBALS['fiber'] = new Fiber(static function (): void {
        Fiber::suspend();
    });
    $GLOBALS['fiber']->start();
    ob_start(static function (string $s): string {
        leaf();
        return $s;
    });
    echo "end of $way\n";
    match ($way) {
        'exit' => exit(7),
        'exception' => throw new Exception('thrown'),
        'fatal' => eval('function leaf() {}'),
        default => null,
    };
}

if (isset($argv[1])) {
    xhprof_enable(XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY);
    work($argv[1]);
    exit(0);
}
foreach (['return' => 0, 'exit' => 7, 'exception' => 255, 'fatal' => 255] as $way => $code) {
    $child = xhprof_test_child(__FILE__, [$way], ['display_errors' => 0, 'log_errors' => 0]);
    echo $way, ': ', $child['code'] === $code ? 'ok' : "exit code {$child['code']}", $child['err'],
        str_contains($child['out'], "end of $way\n") ? '' : "output: {$child['out']}", "\n";
    if ($way === 'return' || $way === 'exit') {
        echo $child['out'];
    }
}
?>
--EXPECT--
return: ok
end of return
finally
destructed
exit: ok
end of exit
finally
destructed
exception: ok
fatal: ok
