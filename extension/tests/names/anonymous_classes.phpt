--TEST--
Anonymous classes: class@anonymous::method, or the parent's or interface's name, without NUL and path
--FILE--
<?php
require __DIR__ . '/../lib.inc';

interface Shape
{
    public function area(): int;
}

class Base
{
    public function inherited(): void
    {
        static $n;
        $n++;
    }
}

function leaf(): void
{
    static $n;
    $n++;
}

xhprof_enable();
$plain = new class {
    public function __construct()
    {
        static $n;
        $n++;
    }

    public function m(): void
    {
        leaf();
        (fn () => leaf())();
    }

    public static function s(): void
    {
        static $n;
        $n++;
    }
};
$plain->m();
$plain::s();
(new class extends Base {
    public function own(): void
    {
        $this->inherited();
    }
})->own();
(new class implements Shape {
    public function area(): int
    {
        return 1;
    }
})->area();
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
Base@anonymous::own==>Base::inherited: ct=1
class@anonymous::m==>class@anonymous::{closure:names/anonymous_classes.php:35}: ct=1
class@anonymous::m==>leaf: ct=1
class@anonymous::{closure:names/anonymous_classes.php:35}==>leaf: ct=1
main(): ct=1
main()==>Base@anonymous::own: ct=1
main()==>Shape@anonymous::area: ct=1
main()==>class@anonymous::__construct: ct=1
main()==>class@anonymous::m: ct=1
main()==>class@anonymous::s: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
