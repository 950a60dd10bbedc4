--TEST--
ignored_functions: an ignored function has no recursion level, the others keep theirs
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function skip(int $n): void
{
    leaf();
    if ($n > 0) {
        skip($n - 1);
    }
}

function leaf(): void
{
    static $n;
    $n++;
}

function a(int $n): void
{
    if ($n > 0) {
        via($n);
    }
}

function via(int $n): void
{
    a($n - 1);
}

xhprof_enable(0, ['ignored_functions' => ['skip', 'via', 'xhprof_disable']]);
skip(3);
a(3);
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
a==>a@1: ct=1
a@1==>a@2: ct=1
a@2==>a@3: ct=1
main(): ct=1
main()==>a: ct=1
main()==>leaf: ct=4
invariants: ok
