--TEST--
Methods are named Class::method by the class that declares them; traits by the class that uses them
--FILE--
<?php
require __DIR__ . '/../lib.inc';

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
?>
--EXPECT--
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
