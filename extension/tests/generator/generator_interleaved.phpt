--TEST--
Two generators of one function, resumed in turns and from different callers
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function one(): void
{
    static $n;
    $n++;
}

function two(): void
{
    static $n;
    $n++;
}

function gen(string $leaf): Generator
{
    while (true) {
        $leaf();
        yield;
    }
}

function a(Generator $g): void
{
    $g->next();
}

function b(Generator $g): void
{
    $g->next();
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
$g = gen('one');
$h = gen('two');
for ($i = 0; $i < 4; $i++) {
    a($g);
    b($h);
}
a($h);
b($g);
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
a==>gen: ct=1
b==>gen: ct=1
gen==>one: ct=6
gen==>two: ct=6
main(): ct=1
main()==>a: ct=5
main()==>b: ct=5
invariants: ok
