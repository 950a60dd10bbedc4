--TEST--
Heap snapshot: calls with their variables, arguments of all kinds, temporary values, calls in preparation
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

final class Tree
{
    public array $heap = [];

    public function __call(string $name, array $arguments): string
    {
        return $this->grow(...$arguments);
    }

    public function grow(string $first, mixed ...$rest): string
    {
        $unset = $first;
        unset($unset);
        foreach ([strrev($first), 'b'] as $looped) {
            return strrev("$looped-") . $this->last($looped, strrev('given'), strrev('too'));
        }
    }

    private function last(string $only): string
    {
        $symbols = compact('only');
        extract(['extracted' => strrev('detcartxe')]);
        $number = 12;
        return pair(strrev('outer'), flat([strrev('element'), pair(strrev('prepared'), $this->take())]));
    }

    public function take(): string
    {
        $this->heap = xhprof_test_heap(['scalars' => true]);
        return '';
    }
}
function pair(string $first, string $second): string
{
    return $first . $second;
}
/** @param list<string> $parts */
function flat(array $parts): string
{
    return implode(',', $parts);
}
$tree = new Tree();
$tree->unknown(strrev('first'), 'second', named: strrev('demand'));
xhprof_test_heap_check($tree->heap);
$heap = $tree->heap;

foreach (xhprof_test_heap_root($heap, 'call_frames')['e'] as $edge) {
    $frame = $heap['nodes'][$edge[1]];
    if ($frame['t'] !== 'frame' || in_array($frame['c'], ['xhprof_heap_snapshot', 'xhprof_test_heap'], true)) {
        continue;
    }
    echo "$edge[0] $frame[c]", isset($frame['l']) ? ' at "' . trim(file(__FILE__)[$frame['l'] - 1]) . '"' : '', "\n";
    foreach ($frame['e'] ?? [] as $reference) {
        $to = $reference[1] === null ? null : $heap['nodes'][$reference[1]];
        echo '    ', $reference[0], isset($reference[2]) && $to ? "/$reference[2]" : '', ': ', $to ? $to['t'] : json_encode($reference[2]);
        echo isset($to['v']) ? ' ' . json_encode($to['v']) : (isset($to['c']) ? " $to[c]" : ''), "\n";
        if ($reference[0] === 'call in preparation') {
            foreach ($to['e'] as $passed) {
                echo "        $passed[0]: ", $heap['nodes'][$passed[1]]['v'] ?? $heap['nodes'][$passed[1]]['t'], "\n";
            }
        }
    }
}
?>
--EXPECT--
sound
2 Tree::take at "$this->heap = xhprof_test_heap(['scalars' => true]);"
    this: object Tree
    function/p: function Tree::take
3 Tree::last at "return pair(strrev('outer'), flat([strrev('element'), pair(strrev('prepared'), $this->take())]));"
    this: object Tree
    function/p: function Tree::last
    symbol table/p: array
    1: string "nevig"
    2: string "oot"
    (temporary): array
    call in preparation/p: frame pair
        function: function
        0: deraperp
    call in preparation/p: frame flat
        function: function
    call in preparation/p: frame pair
        function: function
        0: retuo
4 Tree::grow at "return strrev("$looped-") . $this->last($looped, strrev('given'), strrev('too'));"
    this: object Tree
    function/p: function Tree::grow
    extra named params/p: array
    first: string "tsrif"
    rest: array
    looped: string "first"
    1: string "second"
    (loop): array
    (temporary): string "-tsrif"
5 Tree::__call at "return $this->grow(...$arguments);"
    this: object Tree
    function/p: function Tree::__call
    extra named params/p: array
    name: string "unknown"
    arguments: array
6 {main} at "$tree->unknown(strrev('first'), 'second', named: strrev('demand'));"
    function/p: function {main}
    symbol table/w: root global_variables
