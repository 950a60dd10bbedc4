--TEST--
yield from: every generator is called once, leaves hang on the generator that calls them
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function a_leaf(): void
{
    static $n;
    $n++;
}

function b_leaf(): void
{
    static $n;
    $n++;
}

function c_leaf(): void
{
    static $n;
    $n++;
}

function inner(): Generator
{
    a_leaf();
    yield 1;
    a_leaf();
    yield 2;
    a_leaf();
    return 3;
}

function middle(): Generator
{
    b_leaf();
    $r = yield from inner();
    b_leaf();
    yield $r;
    yield from [10, 20];
    b_leaf();
}

function outer(): Generator
{
    c_leaf();
    yield from middle();
    c_leaf();
}

function consume(): int
{
    $sum = 0;
    foreach (outer() as $x) {
        $sum += $x;
    }
    return $sum;
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
$sum = consume();
$edges = xhprof_disable();
echo "sum $sum\n";
foreach (['inner==>a_leaf', 'middle==>b_leaf', 'outer==>c_leaf', 'main()==>consume'] as $key) {
    echo "$key: ct=", $edges[$key]['ct'] ?? 'none', "\n";
}
foreach (['inner', 'middle', 'outer', 'a_leaf', 'b_leaf', 'c_leaf'] as $function) {
    echo "$function: ", xhprof_test_calls($edges, $function), "\n";
}
xhprof_test_check_invariants($edges, xhprof_call_tree());
?>
--EXPECT--
sum 36
inner==>a_leaf: ct=3
middle==>b_leaf: ct=3
outer==>c_leaf: ct=2
main()==>consume: ct=1
inner: 1
middle: 1
outer: 1
a_leaf: 3
b_leaf: 3
c_leaf: 2
invariants: ok
