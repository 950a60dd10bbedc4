--TEST--
Callbacks hang on the internal function that calls them
--FILE--
<?php
require __DIR__ . '/../lib.inc';

class Cmp
{
    public static int $n = 0;

    public static function byValue(int $a, int $b): int
    {
        self::$n++;
        return $a <=> $b;
    }

    public function inc(int $x): int
    {
        return $x + 1;
    }

    public function __invoke(int $x): bool
    {
        return $x > 1;
    }
}

function double(int $x): int
{
    return 2 * $x;
}

$items = [3, 1, 2];
$cmp = new Cmp();
xhprof_enable();
usort($items, ['Cmp', 'byValue']);
array_map('double', $items);
array_map([$cmp, 'inc'], $items);
array_filter($items, $cmp);
array_walk($items, 'double');
preg_replace_callback('/b/', fn (array $m): string => strtoupper($m[0]), 'abba');
array_map('strrev', ['ab', 'cd']);
(new ReflectionMethod('Cmp', 'inc'))->invoke($cmp, 1);
(new ReflectionFunction('double'))->invoke(1);
$edges = xhprof_disable();
$n = Cmp::$n;
echo 'usort: ', $edges['usort==>Cmp::byValue']['ct'] === $n && $n > 1 ? 'as often as called' : "$n calls", "\n";
xhprof_test_edges($edges, ['usort==>Cmp::byValue']);
xhprof_test_check_invariants($edges, xhprof_call_tree());
?>
--EXPECT--
usort: as often as called
ReflectionFunction::invoke==>double: ct=1
ReflectionMethod::invoke==>Cmp::inc: ct=1
array_filter==>Cmp::__invoke: ct=3
array_map==>Cmp::inc: ct=3
array_map==>double: ct=3
array_map==>strrev: ct=2
array_walk==>double: ct=3
main(): ct=1
main()==>ReflectionFunction::__construct: ct=1
main()==>ReflectionFunction::invoke: ct=1
main()==>ReflectionMethod::__construct: ct=1
main()==>ReflectionMethod::invoke: ct=1
main()==>array_filter: ct=1
main()==>array_map: ct=3
main()==>array_walk: ct=1
main()==>preg_replace_callback: ct=1
main()==>usort: ct=1
main()==>xhprof_disable: ct=1
preg_replace_callback==>{closure:calls/callbacks.php:38}: ct=2
{closure:calls/callbacks.php:38}==>strtoupper: ct=2
invariants: ok
