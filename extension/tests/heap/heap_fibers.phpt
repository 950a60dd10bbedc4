--TEST--
Heap snapshot: fibers that have not started, are suspended, run, have ended
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

function inner(string $argument): string
{
    $local = str_repeat('l', 3);
    $got = Fiber::suspend(str_repeat('v', 3));
    return $local . $argument . $got;
}
$body = static function (string $given): string {
    $outer = [str_repeat('o', 3)];
    $result = inner($given . 'x');
    return $outer[0] . $result;
};
$fresh = new Fiber($body);
$suspended = new Fiber($body);
$suspended->start(str_repeat('g', 3));
$ended = new Fiber($body);
$ended->start('e');
$ended->resume('r');
$many = [];
for ($i = 0; $i < 50; $i++) {
    $many[$i] = new Fiber($body);
    $many[$i]->start("number $i");
}
$nested = new Fiber(static function () use ($body): void {
    $kept = new Fiber($body);
    $kept->start('nested');
    Fiber::suspend();
});
$nested->start();
$generator = (static function (): Generator {
    yield Fiber::suspend(str_repeat('y', 3));
})();
$throughGenerator = new Fiber(static function () use ($generator): void {
    $generator->current();
});
$throughGenerator->start();
$heap = xhprof_test_heap();
xhprof_test_heap_check($heap);
$show = static function (string $variable, string|int ...$names) use (&$heap): void {
    echo implode('.', [$variable, ...$names]), ': ', xhprof_test_heap_text(xhprof_test_heap_global($heap, $variable, ...$names)), "\n";
};
echo $heap['footer']['summary']['classes']['Fiber']['count'], " fibers\n";
foreach (['fresh', 'suspended', 'ended', 'nested', 'throughGenerator'] as $variable) {
    $show($variable);
}
$locals = 0;
foreach ($heap['nodes'] as $node) {
    if ($node['t'] === 'frame' && ($node['c'] ?? '') === 'inner') {
        $locals += xhprof_test_heap_text(xhprof_test_heap_at($heap, $node, 'local')) === 'string v="lll" n=3 r=1';
    }
}
echo "$locals frames of inner() with their local variable\n";
$inside = null;
$running = new Fiber(static function () use (&$inside): void {
    $mine = str_repeat('m', 3);
    $inside = xhprof_test_heap();
    Fiber::suspend();
});
$running->start();
$heap = $inside;
xhprof_test_heap_check($heap);
$frames = xhprof_test_heap_root($heap, 'call_frames');
foreach ($frames['e'] as $edge) {
    echo "$edge[0]: ", preg_replace('/\{closure:[^}]*\}/', '{closure}', $heap['nodes'][$edge[1]]['c'] ?? ''), ' ', isset($heap['nodes'][$edge[1]]['l']) ? 'at a line' : '', "\n";
}
$show('running');
?>
--EXPECT--
sound
56 fibers
fresh: fiber Fiber r=1
suspended: fiber Fiber r=1 {0, 1, 2, 3}
ended: fiber Fiber r=1
nested: fiber Fiber r=1 {0, 1, 2}
throughGenerator: fiber Fiber r=1 {0, 1, 2, 3, 4}
52 frames of inner() with their local variable
sound
vm stack: vm stack 
0: xhprof_heap_snapshot 
vm stack: vm stack 
1: xhprof_test_heap at a line
2: {closure} at a line
3: {fiber} 
4: Fiber::start 
vm stack: vm stack 
5: {main} at a line
running: fiber Fiber r=2
