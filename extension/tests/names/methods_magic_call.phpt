--TEST--
__call and __callStatic: one call of the magic method, under the function that calls
--FILE--
<?php
require __DIR__ . '/../lib.inc';

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
?>
--EXPECT--
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
