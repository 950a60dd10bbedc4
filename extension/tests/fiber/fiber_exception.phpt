--TEST--
Exceptions out of a fiber and thrown into it
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(): void
{
    static $n;
    $n++;
}

function fails(): void
{
    deep();
}

function deep(): void
{
    leaf();
    Fiber::suspend();
    leaf();
    throw new RuntimeException('out');
}

function catches(): void
{
    try {
        Fiber::suspend();
    } catch (LogicException) {
        leaf();
    }
    Fiber::suspend();
}

function drive(): void
{
    $f = new Fiber('fails');
    $f->start();
    try {
        $f->resume();
    } catch (RuntimeException) {
        leaf();
    }
    $g = new Fiber('catches');
    $g->start();
    $g->throw(new LogicException('in'));
    leaf();
    try {
        $g->throw(new DomainException('through'));
    } catch (DomainException) {
        leaf();
    }
    $h = new Fiber(static fn () => throw new RuntimeException('at once'));
    try {
        $h->start();
    } catch (RuntimeException) {
        leaf();
    }
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
drive();
leaf();
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
catches==>leaf: ct=1
deep==>leaf: ct=2
drive==>catches: ct=1
drive==>fails: ct=1
drive==>leaf: ct=4
drive==>{closure:fiber/fiber_exception.php:51}: ct=1
fails==>deep: ct=1
main(): ct=1
main()==>drive: ct=1
main()==>leaf: ct=1
invariants: ok
