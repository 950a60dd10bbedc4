--TEST--
Recursion levels are right again after an exception unwound many of them
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function down(int $n): void
{
    if ($n === 0) {
        throw new RuntimeException('bottom');
    }
    down($n - 1);
}

function leaf(): void
{
    static $n;
    $n++;
}

function again(int $n): void
{
    try {
        down(2);
    } catch (RuntimeException) {
        leaf();
    }
    if ($n > 0) {
        again($n - 1);
    }
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
again(1);
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
again==>again@1: ct=1
again==>down: ct=1
again==>leaf: ct=1
again@1==>down: ct=1
again@1==>leaf: ct=1
down==>down@1: ct=2
down@1==>down@2: ct=2
main(): ct=1
main()==>again: ct=1
invariants: ok
