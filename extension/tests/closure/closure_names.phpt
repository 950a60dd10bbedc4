--TEST--
Closures are {closure:dir/file.php:line}, with the full class name inside a class, on every PHP version
--FILE--
<?php
require __DIR__ . '/../lib.inc';

class K
{
    public function m(): mixed
    {
        return (function () {
            return 1;
        })();
    }

    public static function s(): mixed
    {
        return (static fn () => 1)();
    }

    public function nested(): mixed
    {
        return (function () {
            return (fn () => 1)();
        })();
    }
}

class Sub extends K
{
}

function in_function(): mixed
{
    return (fn () => 1)();
}

$plain = function () {
    return (function () {
    })();
};

xhprof_enable();
$plain();
(fn () => 1)();
(new K())->m();
(new Sub())->m();
K::s();
(new K())->nested();
in_function();
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
K::m==>K::{closure:closure/closure_names.php:8}: ct=2
K::nested==>K::{closure:closure/closure_names.php:20}: ct=1
K::s==>K::{closure:closure/closure_names.php:15}: ct=1
K::{closure:closure/closure_names.php:20}==>K::{closure:closure/closure_names.php:21}: ct=1
in_function==>{closure:closure/closure_names.php:32}: ct=1
main(): ct=1
main()==>K::m: ct=2
main()==>K::nested: ct=1
main()==>K::s: ct=1
main()==>in_function: ct=1
main()==>xhprof_disable: ct=1
main()==>{closure:closure/closure_names.php:35}: ct=1
main()==>{closure:closure/closure_names.php:42}: ct=1
{closure:closure/closure_names.php:35}==>{closure:closure/closure_names.php:36}: ct=1
invariants: ok
