--TEST--
memprof_dump_array(): the shape of memprof's, paths that hold nothing too
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../alloc.inc';
require __DIR__ . '/../alloc_formats.inc';

function holds_nothing(): int
{
    return strlen(text(50000));
}

$before = str_repeat('b', 100_000);
memprof_enable();
keep();
holds_nothing();
holds_nothing();
$root = memprof_dump_array();
$json = xhprof_test_nested(xhprof_test_dump(['types' => false]));
memprof_disable();

foreach ($root as $key => $value) {
    echo "$key ", get_debug_type($value), "\n";
}
echo implode(' ', array_diff(array_keys($root['called_functions']), ['memprof_dump_array'])), "\n";
$keep = $root['called_functions']['keep'];
var_dump($keep === $json['called_functions']['main()']['called_functions']['keep']);
var_dump($root['calls'], $keep['calls']);
print_r($root['called_functions']['holds_nothing']['called_functions']['text']);
?>
--EXPECT--
memory_size int
blocks_count int
memory_size_inclusive int
blocks_count_inclusive int
calls int
called_functions array
keep holds_nothing
bool(true)
int(1)
int(1)
Array
(
    [memory_size] => 0
    [blocks_count] => 0
    [memory_size_inclusive] => 0
    [blocks_count_inclusive] => 0
    [calls] => 2
    [called_functions] => Array
        (
            [str_repeat] => Array
                (
                    [memory_size] => 0
                    [blocks_count] => 0
                    [memory_size_inclusive] => 0
                    [blocks_count_inclusive] => 0
                    [calls] => 2
                    [called_functions] => Array
                        (
                        )

                )

        )

)
