--TEST--
Allocations are charged to the path that made them, also where xhprof.max_nodes folds paths
--FILE--
<?php
require __DIR__ . '/../alloc.inc';

echo "Allocations are charged to the path that made them, until they are freed, wherever that is:\n";

class Keep
{
    public static array $all = [];
    public static string $text = '';
}

// Blocks of the heap take 1280, 1536, 2048, ... bytes: also with what a string and a debug build need besides its text.
function makes(int $length): string { return str_repeat('x', $length); }
function one(): void { Keep::$all['one'] = makes(1000); }
function two(): void { Keep::$all['two'] = makes(1000); Keep::$all['2'] = makes(1400); }
function frees(string $key): void { Keep::$all[$key] = null; }
function grows(): void { Keep::$text .= 'more'; }

function recursive(int $depth): void
{
    Keep::$all["depth $depth"] = pack('x5000');
    $depth > 0 && recursive($depth - 1);
}

function show(string $title): void
{
    $stream = fopen('php://memory', 'w+');
    xhprof_alloc_dump($stream);
    rewind($stream);
    $json = stream_get_contents($stream);
    echo "-- $title\n";
    foreach (xhprof_test_live($json) as $path => [$bytes, $blocks]) {
        if (!str_contains($path, ';show') && $path !== '(before)' && $path !== 'main()') {
            echo "$path: $bytes B in $blocks\n";
        }
    }
}

foreach (['one', 'two', '2', 'before', 'depth 0', 'depth 1', 'depth 2'] as $key) {
    Keep::$all[$key] = null; // no growth later
}
Keep::$all['before'] = makes(100_000);
$before = makes(50_000);
recursive(0);
frees('depth 0');

xhprof_enable(XHPROF_FLAGS_ALLOC);
one();
two();
show('allocated');
frees('two');
show('one of three freed elsewhere');
one();
show('replaced by another of the same path');
Keep::$text = makes(1900);
show('handed up');
grows();
show('grown by another: its charge now');
Keep::$text = '';
frees('before');
unset($before);
show('blocks from before are freed');
recursive(2);
show('every level of a recursion is a path');
Keep::$all = [];
show('all freed');
xhprof_disable();
show('after the end');

echo "xhprof.max_nodes from 1,000 on, with allocations: paths that allocate or hold little become part of their callers; sums and live blocks stay:\n";

// 1,110 paths below each caller: f0() to f9() call each other, 3 deep. The last one keeps a small string, and in one place of a
// hundred a large one.
for ($i = 0; $i < 10; $i++) {
    $calls = implode(' ', array_map(static fn (int $j): string => "f$j(\$n - 1);", range(0, 9)));
    eval("function f$i(int \$n): void { if (\$n > 0) { $calls } else { light(); if ($i === 3) { heavy(); } } }");
}
for ($i = 0; $i < 20; $i++) {
    eval("function caller$i(): void { f5(2); f6(1); }");
}

function light(): void { global $kept, $number; $kept[$number++] = pack('x100'); }
function heavy(): void { global $kept, $number; $kept[$number++] = pack('x30000'); }

function program(): void
{
    global $kept, $number;
    $kept = array_fill(0, 8000, null);
    for ($round = 0; $round < 3; $round++) {
        $number = 0; // what the last round has kept goes, one by one
        xhprof_alloc_mark();
        for ($i = $round < 2 ? 0 : 10; $i < 20; $i++) {
            "caller$i"();
        }
    }
}

const LIMIT = 2000;
const DUMPS = ['all' => [], 'since mark 3' => ['after' => 3], 'between marks 2 and 3' => ['after' => 2, 'before' => 3],
    'types' => ['types' => false]];

/** @return array<string, mixed> figures of dumps of the program, which runs with this limit */
function measure(?int $flags, int $max): array
{
    ini_set('xhprof.max_nodes', (string) $max);
    $flags === null ? memprof_enable() : xhprof_enable($flags);
    program();
    $dumps = array_map('xhprof_test_dump', DUMPS);
    $flags === null ? memprof_disable() : xhprof_disable();
    ['tree' => $tree, 'allocators' => ['zend_mm' => $zend]] = json_decode($dumps['all'], true, 16, JSON_THROW_ON_ERROR);
    $figures = ['allocated' => [$zend['allocated_bytes'], $zend['allocated_blocks']],
        'freed' => [$zend['freed_bytes'], $zend['freed_blocks']]];
    $large = 0;
    foreach ($dumps as $what => $json) {
        $live = array_filter(xhprof_test_live($json), static fn (string $path): bool => str_contains($path, ';program'), ARRAY_FILTER_USE_KEY);
        $figures[$what] = [array_sum(array_column($live, 0)), array_sum(array_column($live, 1))];
        $in_large = array_filter($live, static fn (string $path): bool => str_contains($path, ';heavy'), ARRAY_FILTER_USE_KEY);
        $large = $what === 'all' ? array_sum(array_column($in_large, 0)) : $large;
    }
    $paths = array_map(static fn (int $fn): string => $tree['names'][$fn], $tree['fn']);
    return [$figures, $paths, $large];
}

program();
measure(XHPROF_FLAGS_ALLOC, LIMIT);
foreach (['profile' => XHPROF_FLAGS_ALLOC, 'profile without internal functions' => XHPROF_FLAGS_ALLOC | XHPROF_FLAGS_NO_BUILTINS,
    'memprof' => null] as $way => $flags) {
    [$few, $few_paths, $few_large] = measure($flags, LIMIT);
    [$all, $all_paths, $all_large] = measure($flags, 100000);
    echo "$way: ", count($few_paths) <= LIMIT && count($all_paths) > LIMIT + 200 ? 'few of many paths' : count($few_paths) . ' paths of ' . count($all_paths),
        in_array('(truncated)', $few_paths, true) ? ', some truncated' : '', "\n";
    foreach ($few as $what => $sum) {
        echo $sum !== $all[$what] ? "$what: " . json_encode([$sum, $all[$what]]) . "\n" : '';
    }
    echo count($few), ' sums compared; large blocks ', $few_large > $all_large * 0.99 && $all_large > $all['all'][0] * 0.9
        ? 'in their paths' : json_encode([$few_large, $all_large]), "\n";
}
?>
--EXPECT--
Allocations are charged to the path that made them, until they are freed, wherever that is:
-- allocated
main();one;makes;str_repeat: 1280 B in 1
main();two;makes;str_repeat: 2816 B in 2
-- one of three freed elsewhere
main();one;makes;str_repeat: 1280 B in 1
main();two;makes;str_repeat: 1536 B in 1
-- replaced by another of the same path
main();one;makes;str_repeat: 1280 B in 1
main();two;makes;str_repeat: 1536 B in 1
-- handed up
main();makes;str_repeat: 2048 B in 1
main();one;makes;str_repeat: 1280 B in 1
main();two;makes;str_repeat: 1536 B in 1
-- grown by another: its charge now
main();grows: 2048 B in 1
main();one;makes;str_repeat: 1280 B in 1
main();two;makes;str_repeat: 1536 B in 1
-- blocks from before are freed
main();one;makes;str_repeat: 1280 B in 1
main();two;makes;str_repeat: 1536 B in 1
-- every level of a recursion is a path
main();one;makes;str_repeat: 1280 B in 1
main();recursive;pack: 8192 B in 1
main();recursive;recursive;pack: 8192 B in 1
main();recursive;recursive;recursive;pack: 8192 B in 1
main();two;makes;str_repeat: 1536 B in 1
-- all freed
-- after the end
xhprof.max_nodes from 1,000 on, with allocations: paths that allocate or hold little become part of their callers; sums and live blocks stay:
profile: few of many paths
6 sums compared; large blocks in their paths
profile without internal functions: few of many paths
6 sums compared; large blocks in their paths
memprof: few of many paths
6 sums compared; large blocks in their paths
