--TEST--
Exceptions out of and into generators
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(): void
{
    static $n;
    $n++;
}

function fails(): Generator
{
    yield 1;
    leaf();
    throw new RuntimeException('out');
}

function catches(): Generator
{
    try {
        yield 1;
    } catch (RuntimeException) {
        leaf();
    }
    yield 2;
}

function passes(): Generator
{
    yield from catches();
    yield from fails();
}

function consume(): void
{
    try {
        foreach (fails() as $x) {
        }
    } catch (RuntimeException) {
        leaf();
    }
    $g = catches();
    $g->current();
    $g->throw(new RuntimeException('in'));
    leaf();
    try {
        foreach (passes() as $x) {
        }
    } catch (RuntimeException) {
        leaf();
    }
    $g = fails();
    try {
        $g->throw(new RuntimeException('before it started'));
    } catch (RuntimeException) {
        leaf();
    }
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
consume();
leaf();
$edges = xhprof_disable();
foreach (['consume==>leaf', 'fails==>leaf', 'catches==>leaf', 'main()==>leaf', 'main()==>consume'] as $key) {
    echo "$key: ct=", $edges[$key]['ct'] ?? 'none', "\n";
}
xhprof_test_check_invariants($edges, xhprof_call_tree());
?>
--EXPECT--
consume==>leaf: ct=4
fails==>leaf: ct=2
catches==>leaf: ct=1
main()==>leaf: ct=1
main()==>consume: ct=1
invariants: ok
