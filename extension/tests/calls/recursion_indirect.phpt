--TEST--
Indirect recursion counts the depth of each function by itself
--FILE--
<?php
require __DIR__ . '/../lib.inc';

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
?>
--EXPECT--
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
array_map==>{closure:calls/recursion_indirect.php:25}: ct=2
array_map@1==>{closure:calls/recursion_indirect.php:25}@1: ct=2
array_map@2==>{closure:calls/recursion_indirect.php:25}@2: ct=1
main(): ct=1
main()==>walk: ct=1
main()==>xhprof_disable: ct=1
walk==>array_map: ct=1
walk@1==>array_map@1: ct=1
walk@2==>array_map@2: ct=1
{closure:calls/recursion_indirect.php:25}==>walk@1: ct=1
{closure:calls/recursion_indirect.php:25}@1==>walk@2: ct=1
invariants: ok
