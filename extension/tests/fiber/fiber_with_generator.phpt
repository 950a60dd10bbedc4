--TEST--
Generators inside fibers, and one generator resumed from two fibers
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(): void
{
    static $n;
    $n++;
}

function gen(): Generator
{
    while (true) {
        leaf();
        Fiber::suspend();
        yield;
    }
}

function own(): void
{
    $g = gen();
    $g->current();
    $g->next();
    leaf();
}

$shared = (function (): Generator {
    while (true) {
        leaf();
        yield;
    }
})();

function shares(): void
{
    $GLOBALS['shared']->next();
    Fiber::suspend();
    $GLOBALS['shared']->next();
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
$a = new Fiber('own');
$b = new Fiber('own');
$a->start();
$b->start();
while (!$a->isTerminated()) {
    $a->resume();
    leaf();
    $b->resume();
}
$c = new Fiber('shares');
$d = new Fiber('shares');
$c->start();
$d->start();
$c->resume();
$d->resume();
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
gen==>leaf: ct=4
main(): ct=1
main()==>leaf: ct=2
main()==>own: ct=2
main()==>shares: ct=2
own==>gen: ct=2
own==>leaf: ct=2
shares==>{closure:fiber/fiber_with_generator.php:27}: ct=1
{closure:fiber/fiber_with_generator.php:27}==>leaf: ct=5
invariants: ok
