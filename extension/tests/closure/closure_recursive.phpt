--TEST--
A closure that calls itself, and closures bound to other objects and classes
--FILE--
<?php
require __DIR__ . '/../lib.inc';

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
    if (preg_match('/==>leaf$/', $key) && !str_contains($key, '{closure:closure/closure_recursive.php:28')) {
        echo "leaf called from $key\n";
    }
}
echo "leaf: $calls\n";
xhprof_test_check_invariants($edges, xhprof_call_tree());
?>
--EXPECT--
main(): ct=1
main()==>xhprof_disable: ct=1
main()==>{closure:closure/closure_recursive.php:4}: ct=1
main()==>{closure:closure/closure_recursive.php:7}: ct=1
{closure:closure/closure_recursive.php:4}==>{closure:closure/closure_recursive.php:4}@1: ct=1
{closure:closure/closure_recursive.php:4}@1==>{closure:closure/closure_recursive.php:4}@2: ct=1
{closure:closure/closure_recursive.php:7}==>{closure:closure/closure_recursive.php:7}@1: ct=1
{closure:closure/closure_recursive.php:7}@1==>{closure:closure/closure_recursive.php:7}@2: ct=1
invariants: ok
leaf: 9
invariants: ok
