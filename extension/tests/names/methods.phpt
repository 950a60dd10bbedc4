--TEST--
Names of methods
--FILE--
<?php
require __DIR__ . '/../lib.inc';

echo "Methods are named Class::method by the class that declares them; traits by the class that uses them:\n";

trait Greets
{
    public function hello(): void
    {
        self::log();
    }

    public static function log(): void
    {
        static $n;
        $n++;
    }
}

class Base
{
    public function __construct()
    {
        $this->init();
    }

    public function init(): void
    {
        static $n;
        $n++;
    }

    public static function make(): static
    {
        return new static();
    }
}

class Child extends Base
{
    use Greets;

    public function init(): void
    {
        parent::init();
    }

    public function __toString(): string
    {
        return 'child';
    }

    public function __get(string $name): int
    {
        return 1;
    }

    public function __invoke(): void
    {
        static $n;
        $n++;
    }

    public function __clone()
    {
        static $n;
        $n++;
    }
}

class Other
{
    use Greets;
}

enum Suit
{
    case Hearts;

    public function label(): string
    {
        return $this->name;
    }
}

xhprof_enable();
$child = Child::make();
$child->hello();
(new Other())->hello();
Other::log();
$text = "$child";
$child->missing;
$child();
$copy = clone $child;
Suit::cases();
Suit::Hearts->label();
(new ArrayIterator([1]))->count();
new Base();
xhprof_test_profile(xhprof_disable());

echo "__call and __callStatic: one call of the magic method, under the function that calls:\n";

function leaf(): void
{
    static $n;
    $n++;
}

class Magic
{
    public function __call(string $name, array $args): mixed
    {
        leaf();
        return $name;
    }

    public static function __callStatic(string $name, array $args): mixed
    {
        leaf();
        return $name;
    }
}

class Fluent
{
    public function __call(string $name, array $args): mixed
    {
        if ($args[0] > 0) {
            return $this->deeper($args[0] - 1);
        }
        leaf();
        return null;
    }
}

function caller(Magic $m): void
{
    $m->one();
    $m->two(1, 2);
    Magic::three();
    array_map([$m, 'four'], [1, 2]);
    array_map('Magic::five', [1]);
    $f = $m->six(...);
    $f();
    (new Fluent())->go(2);
}

$m = new Magic();
$m->early();
Magic::early();
xhprof_enable();
caller($m);
xhprof_test_profile(xhprof_disable());

echo "Anonymous classes: class@anonymous::method, or the parent's or interface's name, without NUL and path:\n";

interface Shape
{
    public function area(): int;
}

class Plain
{
    public function inherited(): void
    {
        static $n;
        $n++;
    }
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
(new class extends Plain {
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
Methods are named Class::method by the class that declares them; traits by the class that uses them:
Base::__construct==>Base::init: ct=1
Base::__construct==>Child::init: ct=1
Base::make==>Base::__construct: ct=1
Child::hello==>Child::log: ct=1
Child::init==>Base::init: ct=1
Other::hello==>Other::log: ct=1
main(): ct=1
main()==>ArrayIterator::__construct: ct=1
main()==>ArrayIterator::count: ct=1
main()==>Base::__construct: ct=1
main()==>Base::make: ct=1
main()==>Child::__clone: ct=1
main()==>Child::__get: ct=1
main()==>Child::__invoke: ct=1
main()==>Child::__toString: ct=1
main()==>Child::hello: ct=1
main()==>Other::hello: ct=1
main()==>Other::log: ct=1
main()==>Suit::cases: ct=1
main()==>Suit::label: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
__call and __callStatic: one call of the magic method, under the function that calls:
Fluent::__call==>Fluent::__call@1: ct=1
Fluent::__call@1==>Fluent::__call@2: ct=1
Fluent::__call@2==>leaf: ct=1
Magic::__call==>leaf: ct=5
Magic::__callStatic==>leaf: ct=2
array_map==>Magic::__call: ct=2
array_map==>Magic::__callStatic: ct=1
caller==>Fluent::__call: ct=1
caller==>Magic::__call: ct=3
caller==>Magic::__callStatic: ct=1
caller==>array_map: ct=2
main(): ct=1
main()==>caller: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
Anonymous classes: class@anonymous::method, or the parent's or interface's name, without NUL and path:
Plain@anonymous::own==>Plain::inherited: ct=1
class@anonymous::m==>class@anonymous::{closure:names/methods.php:182}: ct=1
class@anonymous::m==>leaf: ct=1
class@anonymous::{closure:names/methods.php:182}==>leaf: ct=1
main(): ct=1
main()==>Plain@anonymous::own: ct=1
main()==>Shape@anonymous::area: ct=1
main()==>class@anonymous::__construct: ct=1
main()==>class@anonymous::m: ct=1
main()==>class@anonymous::s: ct=1
main()==>xhprof_disable: ct=1
invariants: ok
