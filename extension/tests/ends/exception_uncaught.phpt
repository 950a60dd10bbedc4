--TEST--
An uncaught exception: the shutdown function gets the whole profile
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function deep(int $n): void
{
    if ($n === 0) {
        throw new DomainException('nobody catches it');
    }
    deep($n - 1);
}

function stop(): void
{
    xhprof_test_profile(xhprof_disable());
}

register_shutdown_function('stop');
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
deep(2);
?>
--EXPECTF--
Fatal error: Uncaught DomainException: nobody catches it in %sexception_uncaught.php:7
Stack trace:
%a
  thrown in %sexception_uncaught.php on line 7
deep==>deep@1: ct=1
deep@1==>deep@2: ct=1
main(): ct=1
main()==>deep: ct=1
main()==>stop: ct=1
invariants: ok
