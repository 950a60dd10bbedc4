--TEST--
Heap snapshot: arrays of every kind, strings and their hashes, references, numbers, resources
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--INI--
opcache.enable_cli=0
--FILE--
<?php
require __DIR__ . '/../heap.inc';

echo "Heap snapshot: arrays of every kind, strings, references, numbers, resources:\n";

$packed = [str_repeat('a', 3), 1, null, [str_repeat('b', 3)]];
$hash = ['one' => str_repeat('c', 3), 5 => str_repeat('d', 3), -7 => str_repeat('e', 3), '' => str_repeat('f', 3)];
$sparse = array_fill(0, 10, null);
foreach ($sparse as $i => $unused) {
    $sparse[$i] = str_repeat((string) $i, 4);
}
unset($sparse[0], $sparse[4]);
$empty = [];
$emptied = [str_repeat('x', 3)];
array_pop($emptied);
$huge = array_fill(0, 300_000, null);
$huge[299_999] = str_repeat('z', 5);
$referenced = str_repeat('r', 3);
$reference = &$referenced;
$inArray = [&$reference, 'key' => &$reference];
$own = ['own' => 1];
$own['own'] = &$own; // holds itself
$deep = [];
for ($i = 0; $i < 20_000; $i++) {
    $deep = [$deep];
}
$shared = str_repeat('s', 30);
$copies = [$shared, $shared, $shared];
$stream = fopen('php://memory', 'w+');
$closed = fopen('php://memory', 'w+');
fclose($closed);
$scalars = ['null' => null, 'true' => true, 'false' => false, 'int' => PHP_INT_MIN, 'float' => 0.1, 'nan' => NAN, 'inf' => -INF, 'list' => [1, 2]];
$text = str_repeat("\u{e9}\n\"", 100);

$heap = xhprof_test_heap();
xhprof_test_heap_check($heap);
$at = static fn (string $variable, string|int ...$names): ?array => xhprof_test_heap_global($heap, $variable, ...$names);
$show = static function (string $variable, string|int ...$names) use ($at): void {
    echo implode('.', [$variable, ...$names]), ': ', xhprof_test_heap_text($at($variable, ...$names)), "\n";
};
$show('packed');
$show('packed', 0);
$show('packed', 3, 0);
$show('packed', 'table');
$show('hash');
foreach (['one', 5, -7, ''] as $key) {
    $show('hash', $key);
}
$show('sparse');
$show('sparse', 9);
$show('empty');
$show('emptied');
$show('huge');
$show('huge', 299_999);
echo $at('huge', 'table')['b'] >= 300_000 * 16 ? "its table is there\n" : "no table\n";
$show('referenced');
$show('reference');
echo $at('referenced')['a'] === $at('inArray', 0)['a'] && $at('inArray', 0)['a'] === $at('inArray', 'key')['a'] ? "one reference\n" : "others\n";
$show('own');
$show('own', 'value', 'own');
echo $at('own', 'value', 'own')['a'] === $at('own')['a'] ? "itself\n" : "another\n";
$show('deep');
$depth = 0;
for ($node = $at('deep'); $node !== null; $node = xhprof_test_heap_at($heap, $node, 0)) {
    $depth++;
}
echo "$depth deep\n";
$show('copies', 1);
echo $at('copies', 0)['a'] === $at('shared')['a'] ? "one string\n" : "others\n";
$show('stream');
$show('closed');
$show('scalars');
$show('text');

echo "With scalars:\n";
unset($heap, $at, $show, $node, $deep, $huge);
$heap = xhprof_test_heap(['scalars' => true, 'max_string' => 4]);
xhprof_test_heap_check($heap);
foreach (xhprof_test_heap_global($heap, 'scalars')['e'] as $edge) {
    $edge[1] === null && print("$edge[0]: " . json_encode($edge[2] ?? 'left out') . "\n");
}
echo json_encode(array_column(xhprof_test_heap_global($heap, 'scalars', 'list')['e'], 2)), "\n";
foreach (['packed', 'text'] as $variable) {
    echo $variable, ': ', xhprof_test_heap_text(xhprof_test_heap_global($heap, $variable)), "\n";
}

echo "Heap snapshot: equal strings have equal hashes, which are others in each snapshot:\n";

$equal = [str_repeat('abcdefgh', 2), str_repeat('abcdefgh', 2)];
$other = str_repeat('hgfedcba', 2);
$short = [str_repeat('a', 15), str_repeat('a', 15)];
// Longer than what is shown of them, and than a piece that is hashed at once.
$long = [str_repeat('0123456789', 30_000), str_repeat('0123456789', 30_000), str_repeat('0123456789', 30_000)];
$long[2][299_999] = 'x';

$check = static function (array $heap) use ($equal, $other, $short, $long): array {
    $hash = static fn (string $variable, int ...$at): ?string => xhprof_test_heap_global($heap, $variable, ...$at)['h'] ?? null;
    $hashes = [$hash('equal', 0), $hash('other'), $hash('long', 0), $hash('long', 2)];
    foreach ($hashes as $one) {
        echo preg_match('/\A[0-9a-f]{16}\z/', $one) === 1 ? 'a hash' : 'none', "\n";
    }
    echo count(array_unique($hashes)), " contents\n";
    echo $hash('equal', 0) === $hash('equal', 1) && $hash('long', 0) === $hash('long', 1) ? "equal\n" : "not equal\n";
    echo $hash('short', 0) === null ? "no hash of a short one\n" : "a hash of a short one\n";
    echo count(array_filter($heap['nodes'], static fn (array $node): bool => isset($node['h']) && $node['t'] !== 'string')), " others\n";
    return $hashes;
};
$first = $check(xhprof_test_heap());
$second = $check(xhprof_test_heap(['redact' => true, 'max_string' => 0]));
echo array_intersect($first, $second) === [] ? "another key\n" : "the same key\n";
?>
--EXPECT--
Heap snapshot: arrays of every kind, strings, references, numbers, resources:
sound
packed: array n=4 r=1 {0, 3}
packed.0: string v="aaa" n=3 r=1
packed.3.0: string v="bbb" n=3 r=1
packed.table: array table table
hash: array n=4 r=1 {one, 5, -7, }
hash.one: string v="ccc" n=3 r=1
hash.5: string v="ddd" n=3 r=1
hash.-7: string v="eee" n=3 r=1
hash.: string v="fff" n=3 r=1
sparse: array n=8 r=1 {1, 2, 3, 5, 6, 7, 8, 9}
sparse.9: string v="9999" n=4 r=1
empty: array n=0
emptied: reference r=1 {value}
huge: array n=300000 r=1 {299999}
huge.299999: string v="zzzzz" n=5 r=1
its table is there
referenced: reference r=4 {value}
reference: reference r=4 {value}
one reference
own: reference r=2 {value}
own.value.own: reference r=2 {value}
itself
deep: array n=1 r=1 {0}
20001 deep
copies.1: string v="ssssssssssssssssssssssssssssss" n=30 r=4
one string
stream: resource stream r=1
closed: resource closed resource r=1
scalars: array n=8 r=2 {list}
text: string v="\u00e9\n\"\u00e9\n\"\u00e9\n\"\u00e9\n\"\u00e9\n\"\u00e9\n\"\u00e9\n\"\u00e9\n\"\u00e9\n\"\u00e9\n\"\u00e9\n\"\u00e9\n\"\u00e9\n\"\u00e9\n\"\u00e9\n\"\u00e9\n\"\u00e9\n\"\u00e9\n\"\u00e9\n\"\u00e9\n\"" n=400 r=1
With scalars:
sound
null: "left out"
true: true
false: false
int: -9223372036854775808
float: 0.1
nan: "NAN"
inf: "-INF"
[1,2,"p"]
packed: array n=4 r=1 {0, 1, 2, 3}
text: string v="\u00e9\n\"" n=400 r=1
Heap snapshot: equal strings have equal hashes, which are others in each snapshot:
a hash
a hash
a hash
a hash
4 contents
equal
no hash of a short one
0 others
a hash
a hash
a hash
a hash
4 contents
equal
no hash of a short one
0 others
another key
