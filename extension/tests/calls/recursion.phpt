--TEST--
Recursion levels count the depth of each function by itself
--FILE--
<?php
require __DIR__ . '/../lib.inc';

echo "Direct recursion: f==>f@1, f@1==>f@2, ... and what each level calls:\n";

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

echo "Indirect recursion counts the depth of each function by itself:\n";

function a(int $n): void
{
    b($n);
}

function b(int $n): void
{
    c();
    if ($n > 0) {
        a($n - 1);
    }
}

function c(): void
{
    static $n;
    $n++;
}

function walk(array $items): array
{
    return array_map(static fn ($x) => is_array($x) ? walk($x) : $x, $items);
}

xhprof_enable();
a(2);
b(0);
xhprof_test_profile(xhprof_disable());

xhprof_enable();
walk([1, [2, [3]]]);
xhprof_test_profile(xhprof_disable());

echo "Recursion levels are right again after an exception unwound many of them:\n";

function down(int $n): void
{
    if ($n === 0) {
        throw new RuntimeException('bottom');
    }
    down($n - 1);
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
Direct recursion: f==>f@1, f@1==>f@2, ... and what each level calls:
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
Indirect recursion counts the depth of each function by itself:
a==>b: ct=1
a@1==>b@1: ct=1
a@2==>b@2: ct=1
b==>a@1: ct=1
b==>c: ct=2
b@1==>a@2: ct=1
b@1==>c: ct=1
b@2==>c: ct=1
main(): ct=1
main()==>a: ct=1
main()==>b: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
array_map==>{closure:calls/recursion.php:56}: ct=2
array_map@1==>{closure:calls/recursion.php:56}@1: ct=2
array_map@2==>{closure:calls/recursion.php:56}@2: ct=1
main(): ct=1
main()==>walk: ct=1
main()==>xhprof_disable: ct=1
walk==>array_map: ct=1
walk@1==>array_map@1: ct=1
walk@2==>array_map@2: ct=1
{closure:calls/recursion.php:56}==>walk@1: ct=1
{closure:calls/recursion.php:56}@1==>walk@2: ct=1
invariants: ok
Recursion levels are right again after an exception unwound many of them:
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
