--TEST--
xhprof_enable() deep in the stack, xhprof_disable() above: everything after it hangs on main()
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function work(): void
{
    strrev($_SERVER['PHP_SELF']);
}

function low(): void
{
    work();
    xhprof_enable();
    work();
}

function mid(): void
{
    low();
    work();
}

function top(): void
{
    mid();
    work();
    mid2();
}

function mid2(): void
{
    work();
}

top();
work();
xhprof_test_profile(xhprof_disable());

function recursive(int $n): void
{
    if ($n === 2) {
        xhprof_enable();
    }
    if ($n > 0) {
        recursive($n - 1);
    }
    work();
}

recursive(4);
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
main(): ct=1
main()==>mid2: ct=1
main()==>work: ct=4
main()==>xhprof_disable: ct=1
mid2==>work: ct=1
work==>strrev: ct=5
invariants: ok
main(): ct=1
main()==>recursive: ct=1
main()==>work: ct=3
main()==>xhprof_disable: ct=1
recursive==>recursive@1: ct=1
recursive==>work: ct=1
recursive@1==>work: ct=1
work==>strrev: ct=5
invariants: ok
