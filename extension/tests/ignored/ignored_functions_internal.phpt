--TEST--
ignored_functions: internal functions, methods in any case, names of the language's own functions
--FILE--
<?php
require __DIR__ . '/../lib.inc';

class Foo
{
    public function bar(): void
    {
        leaf();
        self::baz();
    }

    public static function baz(): void
    {
        leaf();
    }
}

class Sub extends Foo
{
}

function leaf(): void
{
    strrev($_SERVER['PHP_SELF']);
}

function run(): void
{
    array_map('leaf', [1, 2]);
    (new Foo())->bar();
    (new Sub())->bar();
    (new ArrayObject())->count();
}

foreach (
    [['array_map', 'strrev'], ['foo::BAR'], ['Foo::bar', 'FOO::Baz'], ['Sub::bar'], ['bar', 'Foo'], ['LEAF'],
        ['arrayobject::COUNT', 'ArrayObject::__construct']] as $ignored
) {
    echo json_encode($ignored), "\n";
    xhprof_enable(0, ['ignored_functions' => [...$ignored, 'xhprof_disable']]);
    run();
    xhprof_test_profile(xhprof_disable());
}
?>
--EXPECT--
["array_map","strrev"]
Foo::bar==>Foo::baz: ct=2
Foo::bar==>leaf: ct=2
Foo::baz==>leaf: ct=2
main(): ct=1
main()==>run: ct=1
run==>ArrayObject::__construct: ct=1
run==>ArrayObject::count: ct=1
run==>Foo::bar: ct=2
run==>leaf: ct=2
invariants: ok
["foo::BAR"]
Foo::baz==>leaf: ct=2
array_map==>leaf: ct=2
leaf==>strrev: ct=6
main(): ct=1
main()==>run: ct=1
run==>ArrayObject::__construct: ct=1
run==>ArrayObject::count: ct=1
run==>Foo::baz: ct=2
run==>array_map: ct=1
run==>leaf: ct=2
invariants: ok
["Foo::bar","FOO::Baz"]
array_map==>leaf: ct=2
leaf==>strrev: ct=6
main(): ct=1
main()==>run: ct=1
run==>ArrayObject::__construct: ct=1
run==>ArrayObject::count: ct=1
run==>array_map: ct=1
run==>leaf: ct=4
invariants: ok
["Sub::bar"]
Foo::bar==>Foo::baz: ct=2
Foo::bar==>leaf: ct=2
Foo::baz==>leaf: ct=2
array_map==>leaf: ct=2
leaf==>strrev: ct=6
main(): ct=1
main()==>run: ct=1
run==>ArrayObject::__construct: ct=1
run==>ArrayObject::count: ct=1
run==>Foo::bar: ct=2
run==>array_map: ct=1
invariants: ok
["bar","Foo"]
Foo::bar==>Foo::baz: ct=2
Foo::bar==>leaf: ct=2
Foo::baz==>leaf: ct=2
array_map==>leaf: ct=2
leaf==>strrev: ct=6
main(): ct=1
main()==>run: ct=1
run==>ArrayObject::__construct: ct=1
run==>ArrayObject::count: ct=1
run==>Foo::bar: ct=2
run==>array_map: ct=1
invariants: ok
["LEAF"]
Foo::bar==>Foo::baz: ct=2
Foo::bar==>strrev: ct=2
Foo::baz==>strrev: ct=2
array_map==>strrev: ct=2
main(): ct=1
main()==>run: ct=1
run==>ArrayObject::__construct: ct=1
run==>ArrayObject::count: ct=1
run==>Foo::bar: ct=2
run==>array_map: ct=1
invariants: ok
["arrayobject::COUNT","ArrayObject::__construct"]
Foo::bar==>Foo::baz: ct=2
Foo::bar==>leaf: ct=2
Foo::baz==>leaf: ct=2
array_map==>leaf: ct=2
leaf==>strrev: ct=6
main(): ct=1
main()==>run: ct=1
run==>Foo::bar: ct=2
run==>array_map: ct=1
invariants: ok
