--TEST--
Recursion through fibers counts along the path
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function leaf(): void
{
    static $n;
    $n++;
}

function nest(int $n): void
{
    leaf();
    if ($n > 0) {
        $f = new Fiber('nest');
        $f->start($n - 1);
        while (!$f->isTerminated()) {
            Fiber::suspend();
            $f->resume();
        }
    } else {
        Fiber::suspend();
    }
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
$f = new Fiber('nest');
$f->start(3);
while (!$f->isTerminated()) {
    leaf();
    $f->resume();
}
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
main(): ct=1
main()==>leaf: ct=1
main()==>nest: ct=1
nest==>leaf: ct=1
nest==>nest@1: ct=1
nest@1==>leaf: ct=1
nest@1==>nest@2: ct=1
nest@2==>leaf: ct=1
nest@2==>nest@3: ct=1
nest@3==>leaf: ct=1
invariants: ok
