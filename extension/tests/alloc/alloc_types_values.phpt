--TEST--
What a block holds: strings, arrays in arrays, keys, references, each once
--INI--
opcache.enable_cli=0
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../alloc.inc';
require __DIR__ . '/../alloc_types.inc';

function text(int $i): string
{
    return str_repeat('x', 20 + $i);
}

alloc_types_print('strings in a list', static function (): array {
    $list = [];
    for ($i = 0; $i < 5; $i++) {
        $list[] = text($i);
    }
    return $list;
});
alloc_types_print('one string many times', static function (): array {
    $text = text(1);
    return [$text, [$text, $text], 'key' => $text];
});
alloc_types_print('arrays in arrays', static function (): array {
    $outer = [];
    for ($i = 0; $i < 4; $i++) {
        $outer[] = [[$i]]; // two arrays, of a table and slots each
    }
    return $outer;
});
alloc_types_print('empty arrays', static fn (): array => [[], [], array_filter([0])]);
alloc_types_print('keys', static function (): array {
    $map = [];
    for ($i = 0; $i < 3; $i++) {
        $map[text($i)] = $i;
    }
    unset($map[text(1)]);
    return $map;
});
alloc_types_print('a list that became a map', static function (): array {
    $list = range(0, 20);
    $list[text(0)] = 1;
    return $list;
});
alloc_types_print('references', static function (): array {
    $list = [];
    for ($i = 0; $i < 3; $i++) {
        unset($x);
        $x = text($i);
        $list[] = &$x;
    }
    return $list;
});
alloc_types_print('a reference to itself', static function (): array {
    $list = [1];
    $list[] = &$list;
    return $list;
});
// Nobody can reach it but the garbage collector, which has it on its list.
alloc_types_print('garbage', static function (): null|int {
    $list = [random_int(1, 2)];
    $list[] = &$list;
    return 1;
});
?>
--EXPECT--
strings in a list: 2 array, 5 string
one string many times: 4 array, 1 string
arrays in arrays: 18 array
empty arrays: 3 array
keys: 2 array, 2 string
a list that became a map: 2 array, 1 string
references: 2 array, 3 reference, 3 string
a reference to itself: 2 array, 1 reference
garbage: 2 array, 1 reference
