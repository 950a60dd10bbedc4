--TEST--
Heap snapshot: generators that have not begun, wait, run, delegate, have ended
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

function numbers(string $argument): Generator
{
    $local = str_repeat('l', 3);
    $key = yield str_repeat('k', 3) => [$local, $argument];
    yield str_repeat('2', 3) . $key;
    return str_repeat('e', 3);
}
function outer(): Generator
{
    $mine = str_repeat('o', 3);
    yield from numbers(str_repeat('i', 3));
    yield $mine;
}
function running(): Generator
{
    $mine = str_repeat('u', 3);
    yield 1;
    global $inside;
    $inside = xhprof_test_heap();
    yield $mine;
}
function temporaries(): Generator
{
    foreach ([str_repeat('t', 3), str_repeat('T', 3)] as $value) {
        echo strlen(str_repeat('p', 3) . (yield $value)), "\n";
    }
}
class Holder
{
    public function all(): Generator { yield $this; }
}
$fresh = numbers(str_repeat('a', 3));
$waiting = numbers(str_repeat('b', 3));
$waiting->current();
$sent = numbers(str_repeat('c', 3));
$sent->current();
$sent->send(str_repeat('s', 3));
$ended = numbers('d');
foreach ($ended as $unused) {
}
$delegating = outer();
$delegating->current();
$middle = temporaries();
$middle->current();
$method = (new Holder())->all();
$method->current();
$arrow = (fn (): Generator => yield str_repeat('w', 3))();
$arrow->current();

$heap = xhprof_test_heap();
xhprof_test_heap_check($heap);
$show = static function (string $variable, string|int ...$names) use (&$heap): void {
    echo implode('.', [$variable, ...$names]), ': ', xhprof_test_heap_text(xhprof_test_heap_global($heap, $variable, ...$names)), "\n";
};
echo $heap['footer']['summary']['classes']['Generator']['count'], " generators\n";
foreach (['fresh', 'waiting', 'sent', 'ended', 'delegating', 'middle', 'method', 'arrow'] as $variable) {
    $show($variable);
    $show($variable, 'frame');
}
$show('waiting', 'frame', 'local');
$show('waiting', 'value', 0);
$running = running();
$running->current();
$running->next();
$heap = $inside;
xhprof_test_heap_check($heap);
$show('running');
$show('running', 'frame', 'mine');
?>
--EXPECT--
sound
9 generators
fresh: generator Generator r=1
fresh.frame: frame numbers {argument}
waiting: generator Generator r=1 {value, key}
waiting.frame: frame numbers {argument, local}
sent: generator Generator r=1 {value}
sent.frame: frame numbers {argument, local, key}
ended: generator Generator r=1 {value, return value}
ended.frame: nothing
delegating: generator Generator r=1
delegating.frame: frame outer {mine}
middle: generator Generator r=1 {value}
middle.frame: frame temporaries {value, (loop), (temporary)}
method: generator Generator r=1 {value}
method.frame: frame Holder::all {this}
arrow: generator Generator r=1 {value}
arrow.frame: frame {closure}
waiting.frame.local: string v="lll" n=3 r=2
waiting.value.0: string v="lll" n=3 r=2
sound
running: generator Generator r=2
running.frame.mine: string v="uuu" n=3 r=1
