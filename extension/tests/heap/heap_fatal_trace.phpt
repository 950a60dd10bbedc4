--TEST--
Heap snapshot after a fatal error: its stack trace (PHP 8.5) holds the arguments of the calls, and is one of the engine's
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap", 'PHP 8.5'); ?>
--INI--
opcache.enable_cli=0
fatal_error_backtraces=1
display_errors=0
--FILE--
<?php
require __DIR__ . '/../heap.inc';

final class Order
{
    public array $rows = [];
}

function inner(Order $order, #[SensitiveParameter] string $password): void
{
    eval('function inner() {}');
}

function outer(string $text): void
{
    $order = new Order();
    $order->rows = [str_repeat('r', 40)];
    inner($order, str_repeat('p', 40));
}

register_shutdown_function(static function (): void {
    $heap = xhprof_test_heap();
    xhprof_test_heap_check($heap);
    $trace = xhprof_test_heap_at($heap, xhprof_test_heap_root($heap, 'engine'), 'stack trace of a fatal error');
    echo xhprof_test_heap_text($trace), "\n";
    foreach ($trace['e'] ?? [] as $edge) {
        $frame = $heap['nodes'][$edge[1]];
        foreach (xhprof_test_heap_at($heap, $frame, 'args')['e'] ?? [] as $argument) {
            if (($argument[2] ?? '') === 'p') {
                continue;
            }
            $value = $heap['nodes'][$argument[1]];
            echo xhprof_test_heap_at($heap, $frame, 'function')['v'] ?? '?', ': ', xhprof_test_heap_text($value), "\n";
        }
    }
    echo xhprof_test_heap_text(xhprof_test_heap_at($heap, $trace, 0, 'args', 0, 'rows', 0)), "\n";
    echo $heap['footer']['summary']['classes']['Order']['count'], ' ', count(error_get_last()['trace']), "\n";
});
outer(str_repeat('o', 40));
?>
--EXPECT--
sound
array n=2 r=1 {0, 1}
inner: object Order r=3 {rows}
inner: object SensitiveParameterValue r=1 {value}
outer: string v="oooooooooooooooooooooooooooooooooooooooo" n=40 r=2
string v="rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr" n=40 r=1
1 2
