--TEST--
What a block holds: values, and containers of them
--INI--
opcache.enable_cli=0
--FILE--
<?php
require __DIR__ . '/../alloc_types.inc';

echo "What a block holds: strings, arrays in arrays, keys, references, each once:\n";

function text(int $i): string { return str_repeat('x', 20 + $i); }

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

echo "What a block holds: SPL's containers and WeakMap, and what is in them:\n";

class OwnHeap extends SplHeap
{
    public ?string $name = null;

    public static bool $dump = false;

    protected function compare(mixed $a, mixed $b): int
    {
        if (self::$dump) {
            self::$dump = false;
            alloc_types_show('  while it is in disorder', alloc_types_of('alloc_types_call'), ['string']);
        }
        return $a <=> $b;
    }
}

class OwnStorage extends SplObjectStorage
{
    public array $more = [];
}

/** @return list<string> */
function texts(int $count): array { return array_map(text(...), range(1, $count)); }

alloc_types_print('ArrayObject', static function (): ArrayObject {
    return new ArrayObject(texts(5));
}, ['object:ArrayObject', 'string', '(unknown)']);
alloc_types_print('ArrayIterator', static function (): Iterator {
    return (new ArrayObject(texts(5)))->getIterator();
}, ['object:ArrayIterator', 'object:ArrayObject', 'string', '(unknown)']);
alloc_types_print('SplFixedArray', static function (): SplFixedArray {
    return SplFixedArray::fromArray(texts(5));
}, ['object:SplFixedArray', 'string', '(unknown)']);
alloc_types_print('SplFixedArray, empty', static function (): SplFixedArray {
    return new SplFixedArray(0);
}, ['object:SplFixedArray', 'string', '(unknown)']);
alloc_types_print('SplQueue', static function (): SplQueue {
    $queue = new SplQueue();
    foreach (texts(5) as $text) {
        $queue[] = $text;
    }
    return $queue;
}, ['object:SplQueue', 'string', '(unknown)']);
alloc_types_print('SplObjectStorage', static function (): array {
    $lists = [];
    foreach ([SplObjectStorage::class, OwnStorage::class] as $class) {
        $lists[] = $list = new $class();
        foreach (texts(5) as $text) {
            $list[new stdClass()] = $text;
        }
        $lists[] = new $class();
    }
    $list->more = [text(9)];
    return $lists;
}, ['object:SplObjectStorage', 'object:OwnStorage', 'object:stdClass', 'string', '(unknown)']);
alloc_types_print('SplMinHeap', static function (): SplMinHeap {
    $heap = new SplMinHeap();
    foreach (texts(5) as $text) {
        $heap->insert($text);
    }
    return $heap;
}, ['object:SplMinHeap', 'string', '(unknown)']);
alloc_types_print('own heap', static function (): OwnHeap {
    $heap = new OwnHeap();
    foreach (texts(5) as $i => $text) {
        OwnHeap::$dump = $i === 4;
        $heap->insert($text);
    }
    $heap->name = text(6);
    return $heap;
}, ['object:OwnHeap', 'string']);
alloc_types_print('SplPriorityQueue', static function (): SplPriorityQueue {
    $queue = new SplPriorityQueue();
    foreach (texts(5) as $i => $text) {
        $queue->insert($text, [text($i)]);
    }
    return $queue;
}, ['object:SplPriorityQueue', 'string', '(unknown)']);
alloc_types_print('MultipleIterator', static function (): MultipleIterator {
    $iterators = new MultipleIterator(MultipleIterator::MIT_KEYS_ASSOC);
    $iterators->attachIterator(new ArrayIterator(texts(2)), text(3));
    return $iterators;
}, ['object:MultipleIterator', 'object:ArrayIterator', 'string', '(unknown)']);
alloc_types_print('WeakMap', static function (): array {
    $map = new WeakMap();
    $keys = [];
    foreach (texts(5) as $text) {
        $map[$keys[] = new stdClass()] = $text;
    }
    return [$map, $keys];
}, ['object:WeakMap', 'object:stdClass', 'string']);
// Looking at them changes nothing, in the heap neither.
xhprof_enable(XHPROF_FLAGS_ALLOC);
$objects = [new ArrayObject([text(1)]), new SplFixedArray(9), new OwnStorage(), new OwnHeap()];
for ($i = 0; $i < 3; $i++) {
    $before = $after = memory_get_usage();
    alloc_types_of('nothing');
    $after = memory_get_usage();
}
var_dump($after - $before);
xhprof_disable();
?>
--EXPECT--
What a block holds: strings, arrays in arrays, keys, references, each once:
strings in a list: 2 array, 5 string
one string many times: 4 array, 1 string
arrays in arrays: 18 array
empty arrays: 3 array
keys: 2 array, 2 string
a list that became a map: 2 array, 1 string
references: 2 array, 3 reference, 3 string
a reference to itself: 2 array, 1 reference
garbage: 2 array, 1 reference
What a block holds: SPL's containers and WeakMap, and what is in them:
ArrayObject: 1 object:ArrayObject, 5 string
ArrayIterator: 1 object:ArrayIterator, 1 object:ArrayObject, 5 string
SplFixedArray: 2 object:SplFixedArray, 5 string
SplFixedArray, empty: 1 object:SplFixedArray
SplQueue: 7 object:SplQueue, 5 string
SplObjectStorage: 8 object:OwnStorage, 8 object:SplObjectStorage, 10 object:stdClass, 11 string
SplMinHeap: 3 object:SplMinHeap, 5 string
  while it is in disorder: 5 string
own heap: 3 object:OwnHeap, 6 string
SplPriorityQueue: 3 object:SplPriorityQueue, 10 string
MultipleIterator: 1 object:ArrayIterator, 3 object:MultipleIterator, 3 string
WeakMap: 2 object:WeakMap, 5 object:stdClass, 5 string
int(0)
