--TEST--
Two different closures on one line never merge; copies of one closure always do
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

function made(int $n): Closure
{
    return function () use ($n): int { one(); return $n; };
}

function scope(): void
{
    $a = fn () => one(); $b = fn () => two(); $c = fn () => strrev($_SERVER['PHP_SELF']);
    $a();
    $b();
    $c();
    $a();
    $b();
}

xhprof_enable();
scope();
scope();
foreach ([1, 2, 3] as $n) {
    made($n)();
}
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
main(): ct=1
main()==>made: ct=3
main()==>scope: ct=2
main()==>xhprof_disable: ct=1
main()==>{closure:closure/closure_same_line.php:18}: ct=3
scope==>{closure:closure/closure_same_line.php:23#2}: ct=4
scope==>{closure:closure/closure_same_line.php:23#3}: ct=2
scope==>{closure:closure/closure_same_line.php:23}: ct=4
{closure:closure/closure_same_line.php:18}==>one: ct=3
{closure:closure/closure_same_line.php:23#2}==>two: ct=4
{closure:closure/closure_same_line.php:23#3}==>strrev: ct=2
{closure:closure/closure_same_line.php:23}==>one: ct=4
invariants: ok
