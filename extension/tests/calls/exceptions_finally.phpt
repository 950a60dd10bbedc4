--TEST--
Exceptions, finally and rethrown exceptions: each call hangs on the function that makes it
--INI--
error_reporting=E_ALL & ~E_DEPRECATED
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function throws(): void
{
    throw new RuntimeException('x');
}

function cleanup(): void
{
    static $n;
    $n++;
}

function handled(): void
{
    static $n;
    $n++;
}

function with_finally(): void
{
    try {
        throws();
    } finally {
        cleanup();
    }
}

function rethrows(): void
{
    try {
        with_finally();
    } catch (RuntimeException $e) {
        handled();
        throw new LogicException('y', 0, $e);
    }
}

function returns_in_finally(): int
{
    try {
        throws();
        return 1;
    } finally {
        return cleanup() ?? 2;
    }
}

function through_callback(): void
{
    try {
        array_map(static fn () => throws(), [1]);
    } catch (RuntimeException) {
        handled();
    }
}

function main_part(): void
{
    try {
        rethrows();
    } catch (LogicException) {
        handled();
    }
    returns_in_finally();
    through_callback();
    try {
        intdiv(1, 0);
    } catch (DivisionByZeroError) {
        handled();
    }
    try {
        (function (int $x) {
        })('no int');
    } catch (TypeError) {
        handled();
    }
    try {
        strrev();
    } catch (ArgumentCountError) {
        handled();
    }
}

xhprof_enable();
main_part();
handled();
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
array_map==>{closure:calls/exceptions_finally.php:53}: ct=1
main(): ct=1
main()==>handled: ct=1
main()==>main_part: ct=1
main()==>xhprof_disable: ct=1
main_part==>handled: ct=4
main_part==>intdiv: ct=1
main_part==>rethrows: ct=1
main_part==>returns_in_finally: ct=1
main_part==>strrev: ct=1
main_part==>through_callback: ct=1
main_part==>{closure:calls/exceptions_finally.php:74}: ct=1
rethrows==>Exception::__construct: ct=1
rethrows==>handled: ct=1
rethrows==>with_finally: ct=1
returns_in_finally==>cleanup: ct=1
returns_in_finally==>throws: ct=1
through_callback==>array_map: ct=1
through_callback==>handled: ct=1
throws==>Exception::__construct: ct=3
with_finally==>cleanup: ct=1
with_finally==>throws: ct=1
{closure:calls/exceptions_finally.php:53}==>throws: ct=1
invariants: ok
