--TEST--
Heap snapshot: equal strings have equal hashes, which are others in each snapshot
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--INI--
opcache.enable_cli=0
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../heap.inc';

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
    echo $hash('short', 0) === null ? "none of a short one\n" : "of a short one\n";
    echo count(array_filter($heap['nodes'], static fn (array $node): bool => isset($node['h']) && $node['t'] !== 'string')), " others\n";
    return $hashes;
};
$first = $check(xhprof_test_heap());
$second = $check(xhprof_test_heap(['redact' => true, 'max_string' => 0]));
echo array_intersect($first, $second) === [] ? "another key\n" : "the same key\n";
?>
--EXPECT--
a hash
a hash
a hash
a hash
4 contents
equal
none of a short one
0 others
a hash
a hash
a hash
a hash
4 contents
equal
none of a short one
0 others
another key
