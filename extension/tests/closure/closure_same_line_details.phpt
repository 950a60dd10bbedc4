--TEST--
Closures of one line that differ only in a cast, an operator, an array or a type are different functions
--FILE--
<?php
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
13 13
