--TEST--
A generator is one call, below whatever resumes it
--FILE--
<?php
require __DIR__ . '/../lib.inc';

echo "A generator is one call however often it is resumed:\n";

function leaf(): void { static $n; $n++; }

function numbers(int $n): Generator
{
    for ($i = 0; $i < $n; $i++) {
        leaf();
        yield $i;
    }
}

function consume(): void
{
    foreach (numbers(5) as $x) {
        strrev((string) $x);
    }
}

xhprof_enable();
consume();
consume();
$never = numbers(3);
xhprof_test_profile(xhprof_disable());
xhprof_test_tree(xhprof_call_tree());

echo "A generator resumed through Generator::current(), next() and send() hangs on the method that resumes it, and is one call:\n";

function gen(): Generator
{
    leaf();
    $x = yield 1;
    leaf();
    yield $x;
    leaf();
}

xhprof_enable();
$g = gen();
$g->current();
$g->send(5);
$g->next();
$g->valid();
xhprof_test_profile(xhprof_disable());
$tree = xhprof_call_tree();
$ct = 0;
foreach ($tree['fn'] as $i => $fn) {
    $tree['names'][$fn] === 'gen' && $ct += $tree['ct'][$i];
}
echo "gen in the tree: ct=$ct\n";

echo "Two generators of one function, resumed in turns and from different callers:\n";

function one(): void { static $n; $n++; }
function two(): void { static $n; $n++; }

function turns(string $leaf): Generator
{
    while (true) {
        $leaf();
        yield;
    }
}

function a(Generator $g): void { $g->next(); }
function b(Generator $g): void { $g->next(); }

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
$g = turns('one');
$h = turns('two');
for ($i = 0; $i < 4; $i++) {
    a($g);
    b($h);
}
a($h);
b($g);
xhprof_test_profile(xhprof_disable());

echo "yield from: every generator is called once, leaves hang on the generator that calls them:\n";

function a_leaf(): void { static $n; $n++; }
function b_leaf(): void { static $n; $n++; }
function c_leaf(): void { static $n; $n++; }

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

function sums(): int
{
    $sum = 0;
    foreach (outer() as $x) {
        $sum += $x;
    }
    return $sum;
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
$sum = sums();
$edges = xhprof_disable();
echo "sum $sum\n";
foreach (['inner==>a_leaf', 'middle==>b_leaf', 'outer==>c_leaf', 'main()==>sums'] as $key) {
    echo "$key: ct=", $edges[$key]['ct'] ?? 'none', "\n";
}
foreach (['inner', 'middle', 'outer', 'a_leaf', 'b_leaf', 'c_leaf'] as $function) {
    echo "$function: ", xhprof_test_calls($edges, $function), "\n";
}
xhprof_test_check_invariants($edges, xhprof_call_tree());
?>
--EXPECT--
A generator is one call however often it is resumed:
consume==>numbers: ct=2
consume==>strrev: ct=10
main(): ct=1
main()==>consume: ct=2
main()==>xhprof_disable: ct=1
numbers==>leaf: ct=10
invariants: ok
main() ct=1
  consume ct=2
    numbers ct=2
      leaf ct=10
    strrev ct=10
  xhprof_disable ct=1
A generator resumed through Generator::current(), next() and send() hangs on the method that resumes it, and is one call:
Generator::current==>gen: ct=1
Generator::next==>gen: ct=0
Generator::send==>gen: ct=0
gen==>leaf: ct=3
main(): ct=1
main()==>Generator::current: ct=1
main()==>Generator::next: ct=1
main()==>Generator::send: ct=1
main()==>Generator::valid: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
gen in the tree: ct=1
Two generators of one function, resumed in turns and from different callers:
a==>turns: ct=1
b==>turns: ct=1
main(): ct=1
main()==>a: ct=5
main()==>b: ct=5
turns==>one: ct=6
turns==>two: ct=6
invariants: ok
yield from: every generator is called once, leaves hang on the generator that calls them:
sum 36
inner==>a_leaf: ct=3
middle==>b_leaf: ct=3
outer==>c_leaf: ct=2
main()==>sums: ct=1
inner: 1
middle: 1
outer: 1
a_leaf: 3
b_leaf: 3
c_leaf: 2
invariants: ok
