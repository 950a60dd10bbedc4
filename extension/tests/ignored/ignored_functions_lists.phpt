--TEST--
ignored_functions: which names are meant, and how many
--FILE--
<?php
require __DIR__ . '/../lib.inc';

echo "ignored_functions: internal functions, methods in any case, names of the language's own functions:\n";

class Foo
{
    public function bar(): void { leaf(); self::baz(); }
    public static function baz(): void { leaf(); }
}

class Sub extends Foo
{
}

function leaf(): void { strrev($_SERVER['PHP_SELF']); }

function run(): void
{
    array_map('leaf', [1, 2]);
    (new Foo())->bar();
    (new Sub())->bar();
    (new ArrayObject())->count();
}

$lists = [['array_map', 'strrev'], ['foo::BAR'], ['Foo::bar', 'FOO::Baz'], ['Sub::bar'], ['bar', 'Foo'], ['LEAF'],
    ['arrayobject::COUNT', 'ArrayObject::__construct']];
xhprof_test_alike($lists, static function (array $ignored): void {
    xhprof_enable(0, ['ignored_functions' => [...$ignored, 'xhprof_disable']]);
    run();
    xhprof_test_profile(xhprof_disable());
});

echo "ignored_functions: lists of 0, 1, 300 and 5000 names, long ones and near misses among them:\n";

$long = 'long_' . str_repeat('n', 3000);
eval("function {$long}x() { counted(); } function {$long}y() { counted(); }");
for ($i = 0; $i < 60; $i++) {
    eval("function f$i() { counted(); }");
}

function counted(): void { static $n; $n++; }

/** @return list<string> */
function names(int $n, string ...$last): array
{
    $names = [];
    for ($i = count($last); $i < $n; $i++) {
        $names[] = $i % 7 === 0 ? "no_$i" . str_repeat('z', 2000) : ($i % 3 === 0 ? "No::method$i" : "no_$i");
    }
    return [...$names, ...$last];
}

$sets = [
    names(0),
    names(1, 'f1'),
    names(300, 'f1', 'f59', "{$long}x"),
    names(5000, 'f1', 'f59', "{$long}y"),
    array_map(static fn (int $i): string => "f$i", range(0, 59)),
    ['f', 'f1 ', ' f1', 'f1()', 'f6', "f1\0", substr($long, 0, 511), 'long_'],
];
foreach ($sets as $set) {
    xhprof_enable(0, ['ignored_functions' => $set]);
    for ($i = 0; $i < 60; $i++) {
        "f$i"();
    }
    "{$long}x"();
    "{$long}y"();
    $edges = xhprof_disable();
    $absent = [];
    for ($i = 0; $i < 60; $i++) {
        isset($edges["main()==>f$i"]) || $absent[] = "f$i";
    }
    isset($edges["main()==>{$long}x"]) || $absent[] = 'long x';
    isset($edges["main()==>{$long}y"]) || $absent[] = 'long y';
    printf("%d names: %d edges, absent %s, counted of main() %d\n", count($set), count($edges),
        count($absent) > 10 ? count($absent) : implode(' ', $absent), $edges['main()==>counted']['ct'] ?? 0);
    xhprof_test_check_invariants($edges, xhprof_call_tree());
}
?>
--EXPECT--
ignored_functions: internal functions, methods in any case, names of the language's own functions:
-- ["array_map","strrev"]
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
-- ["foo::BAR"]
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
-- ["Foo::bar","FOO::Baz"]
array_map==>leaf: ct=2
leaf==>strrev: ct=6
main(): ct=1
main()==>run: ct=1
run==>ArrayObject::__construct: ct=1
run==>ArrayObject::count: ct=1
run==>array_map: ct=1
run==>leaf: ct=4
invariants: ok
-- ["Sub::bar"]
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
-- ["bar","Foo"]: as ["Sub::bar"]
-- ["LEAF"]
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
-- ["arrayobject::COUNT","ArrayObject::__construct"]
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
ignored_functions: lists of 0, 1, 300 and 5000 names, long ones and near misses among them:
0 names: 126 edges, absent , counted of main() 0
invariants: ok
1 names: 125 edges, absent f1, counted of main() 1
invariants: ok
300 names: 121 edges, absent f1 f59 long x, counted of main() 3
invariants: ok
5000 names: 121 edges, absent f1 f59 long y, counted of main() 3
invariants: ok
60 names: 7 edges, absent 60, counted of main() 60
invariants: ok
8 names: 125 edges, absent f6, counted of main() 1
invariants: ok
