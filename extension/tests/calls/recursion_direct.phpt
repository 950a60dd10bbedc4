--TEST--
Direct recursion: f==>f@1, f@1==>f@2, ... and what each level calls
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(): void
{
    static $n;
    $n++;
}

function fact(int $n): int
{
    leaf();
    return $n < 2 ? 1 : $n * fact($n - 1);
}

function fib(int $n): int
{
    return $n < 2 ? $n : fib($n - 1) + fib($n - 2);
}

xhprof_enable();
fact(4);
fact(1);
leaf();
xhprof_test_profile(xhprof_disable());

xhprof_enable();
fib(5);
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
fact==>fact@1: ct=1
fact==>leaf: ct=2
fact@1==>fact@2: ct=1
fact@1==>leaf: ct=1
fact@2==>fact@3: ct=1
fact@2==>leaf: ct=1
fact@3==>leaf: ct=1
main(): ct=1
main()==>fact: ct=2
main()==>leaf: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
fib==>fib@1: ct=2
fib@1==>fib@2: ct=4
fib@2==>fib@3: ct=6
fib@3==>fib@4: ct=2
main(): ct=1
main()==>fib: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
