--TEST--
Allocations are charged to the path that made them, until they are freed, wherever that is
--FILE--
<?php
require __DIR__ . '/../alloc.inc';

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
?>
--EXPECT--
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
