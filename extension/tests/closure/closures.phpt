--TEST--
Closures: names by place and class, and no two of them merge
--FILE--
<?php
require __DIR__ . '/../lib.inc';

echo "Closures are {closure:dir/file.php:line}, with the full class name inside a class, on every PHP version:\n";

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

echo "Closures of the same line in files of different folders, and in eval()'d code, keep apart:\n";

$folder = xhprof_test_folder();
foreach (['one', 'two'] as $i => $dir) {
    mkdir("$folder/$dir");
    file_put_contents("$folder/$dir/same.php", '<?php return fn () => ' . ($i ? 'second' : 'first') . '();');
}

function first(): void
{
    static $n;
    $n++;
}

function second(): void
{
    static $n;
    $n++;
}

xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
$f = include "$folder/one/same.php";
$g = include "$folder/two/same.php";
$f();
$g();
$f();
eval('(fn () => first())(); (fn () => second())();');
eval('(fn () => second())();');
$edges = xhprof_disable();
foreach (['one', 'two'] as $dir) {
    echo json_encode($edges["main()==>{closure:$dir/same.php:1}"]['ct'] ?? null), ' ';
}
echo json_encode($edges['{closure:one/same.php:1}==>first']['ct'] ?? null), ' ';
echo json_encode($edges['{closure:two/same.php:1}==>second']['ct'] ?? null), "\n";
$callers = ['first' => [], 'second' => []];
foreach ($edges as $key => $values) {
    if (preg_match("/^\\{closure:.*eval\(\)'d code.*==>(first|second)$/s", $key, $m)) {
        $callers[$m[1]][] = $values['ct'];
    }
}
sort($callers['second']);
echo json_encode($callers), "\n";
xhprof_test_check_invariants($edges, xhprof_call_tree());

echo "A closure that calls itself, and closures bound to other objects and classes:\n";

$fact = function (int $n) use (&$fact): int {
    return $n < 2 ? 1 : $n * $fact($n - 1);
};
$fn = fn (callable $f, int $n): int => $n < 1 ? 0 : $f($f, $n - 1);

xhprof_enable();
$fact(3);
$fn($fn, 2);
xhprof_test_profile(xhprof_disable());

// Whatever a bound closure is called, every call of it is there and nothing else is lost.
class Bound
{
    private int $secret = 42;
}

function leaf(): void
{
    static $n;
    $n++;
}

$reads = function (): int {
    leaf();
    return $this->secret;
};
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
for ($i = 0; $i < 3; $i++) {
    Closure::bind($reads, new Bound(), Bound::class)();
    $reads->call(new Bound());
    unset($copy);
    $copy = $reads->bindTo(new Bound(), Bound::class);
    $copy();
}
$edges = xhprof_disable();
$calls = 0;
foreach ($edges as $key => $values) {
    if (preg_match('/==>leaf$/', $key)) {
        $calls += $values['ct'];
    }
    if (preg_match('/==>leaf$/', $key) && !str_contains($key, '{closure:closure/closures.php:120')) {
        echo "leaf called from $key\n";
    }
}
echo "leaf: $calls\n";
xhprof_test_check_invariants($edges, xhprof_call_tree());

echo "Two different closures on one line never merge; copies of one closure always do:\n";

function one(): void
{
    static $n;
    $n++;
}

function two(): void
{
    static $n;
    $n++;
}

function made(int $n): Closure
{
    return function () use ($n): int { one(); return $n; };
}

function scope(): void
{
    $a = fn () => one(); $b = fn () => two(); $c = fn () => strrev($_SERVER['PHP_SELF']);
    $a();
    $b();
    $c();
    $a();
    $b();
}

xhprof_enable();
scope();
scope();
foreach ([1, 2, 3] as $n) {
    made($n)();
}
xhprof_test_profile(xhprof_disable());

echo "Closures of one line that differ only in a cast, an operator, an array or a type are different functions:\n";

$groups = [
    [fn ($x) => (int) $x, fn ($x) => (string) $x, fn ($x) => (float) $x],
    [function ($x) { $x += 2; return $x; }, function ($x) { $x -= 2; return $x; }],
    [fn () => [1, 2], fn () => [3, 4], fn () => ['a' => [5]], fn () => ['a' => [6]]],
    [fn (int $x) => $x, fn (string $x) => $x, fn (Countable $x) => $x, fn (Iterator $x) => $x],
];
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS);
foreach ($groups as $i => $group) {
    foreach ($group as $n => $f) {
        $f($i < 3 || $n < 2 ? 1 : new ArrayIterator([]));
    }
}
$edges = xhprof_disable();
unset($edges['main()']);
echo count($edges), ' ', array_sum(array_column($edges, 'ct')), "\n";
?>
--EXPECT--
Closures are {closure:dir/file.php:line}, with the full class name inside a class, on every PHP version:
K::m==>K::{closure:closure/closures.php:10}: ct=2
K::nested==>K::{closure:closure/closures.php:22}: ct=1
K::s==>K::{closure:closure/closures.php:17}: ct=1
K::{closure:closure/closures.php:22}==>K::{closure:closure/closures.php:23}: ct=1
in_function==>{closure:closure/closures.php:34}: ct=1
main(): ct=1
main()==>K::m: ct=2
main()==>K::nested: ct=1
main()==>K::s: ct=1
main()==>in_function: ct=1
main()==>xhprof_disable: ct=1
main()==>{closure:closure/closures.php:37}: ct=1
main()==>{closure:closure/closures.php:44}: ct=1
{closure:closure/closures.php:37}==>{closure:closure/closures.php:38}: ct=1
invariants: ok
Closures of the same line in files of different folders, and in eval()'d code, keep apart:
2 1 2 1
{"first":[1],"second":[1,1]}
invariants: ok
A closure that calls itself, and closures bound to other objects and classes:
main(): ct=1
main()==>xhprof_disable: ct=1
main()==>{closure:closure/closures.php:101}: ct=1
main()==>{closure:closure/closures.php:98}: ct=1
{closure:closure/closures.php:101}==>{closure:closure/closures.php:101}@1: ct=1
{closure:closure/closures.php:101}@1==>{closure:closure/closures.php:101}@2: ct=1
{closure:closure/closures.php:98}==>{closure:closure/closures.php:98}@1: ct=1
{closure:closure/closures.php:98}@1==>{closure:closure/closures.php:98}@2: ct=1
invariants: ok
leaf: 9
invariants: ok
Two different closures on one line never merge; copies of one closure always do:
main(): ct=1
main()==>made: ct=3
main()==>scope: ct=2
main()==>xhprof_disable: ct=1
main()==>{closure:closure/closures.php:161}: ct=3
scope==>{closure:closure/closures.php:166#2}: ct=4
scope==>{closure:closure/closures.php:166#3}: ct=2
scope==>{closure:closure/closures.php:166}: ct=4
{closure:closure/closures.php:161}==>one: ct=3
{closure:closure/closures.php:166#2}==>two: ct=4
{closure:closure/closures.php:166#3}==>strrev: ct=2
{closure:closure/closures.php:166}==>one: ct=4
invariants: ok
Closures of one line that differ only in a cast, an operator, an array or a type are different functions:
13 13
