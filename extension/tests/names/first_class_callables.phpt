--TEST--
First-class callables keep the name of the function they stand for
--FILE--
<?php
require __DIR__ . '/../lib.inc';

class K
{
    public function m(): void
    {
        static $n;
        $n++;
    }

    public static function s(): void
    {
        static $n;
        $n++;
    }
}

function foo(): void
{
    static $n;
    $n++;
}

$foo = foo(...);
$m = (new K())->m(...);
$s = K::s(...);
$rev = strrev(...);
$from = Closure::fromCallable('foo');
xhprof_enable();
$foo();
$m();
$s();
$rev('abc' . PHP_OS);
$from();
foo();
array_map($rev, ['ab', 'cd']);
$late = foo(...);
$late();
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
array_map==>strrev: ct=2
main(): ct=1
main()==>K::m: ct=1
main()==>K::s: ct=1
main()==>array_map: ct=1
main()==>foo: ct=4
main()==>strrev: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
