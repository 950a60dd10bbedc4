--TEST--
memprof_dump_array() and what was allocated since memprof_enable()
--FILE--
<?php
require __DIR__ . '/../alloc_formats.inc';

echo "memprof_dump_array(): the shape of memprof's, paths that hold nothing too:\n";

function holds_nothing(): int { return strlen(text(50000)); }

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

echo "memprof's dumps: only what was allocated since memprof_enable(), and main() is the root, in each of them:\n";

/** What an array holds: path => bytes of its own. */
function own(array $node, string $path = 'root'): array
{
    $all = [$path => $node['memory_size']];
    foreach ($node['called_functions'] as $name => $called) {
        $all += own($called, "$path;$name");
    }
    return $all;
}

/** What a heap profile of gperftools holds. */
function own_of_profile(string $dump): array
{
    [$text, $binary] = explode("--- profile\n", $dump);
    preg_match_all('/^0x([0-9a-f]+) (.+)$/m', $text, $matches);
    $names = array_combine(array_map(hexdec(...), $matches[1]), $matches[2]);
    $words = array_values(unpack('Q*', $binary));
    $all = [];
    for ($i = 5; $words[$i] !== 0; $i += 2 + $words[$i + 1]) {
        $stack = array_map(static fn (int $address): string => $names[$address], array_slice($words, $i + 2, $words[$i + 1]));
        $all[implode(';', array_reverse($stack))] = $words[$i];
    }
    return $all;
}

/** Inclusive bytes by function of what a Callgrind file has calls to, and its total. */
function called(string $dump): array
{
    $names = $all = [];
    preg_match_all('/^c?fn=\((\d+)\) (.+)$/m', $dump, $matches, PREG_SET_ORDER);
    foreach ($matches as [, $number, $name]) {
        $names[$number] = $name;
    }
    preg_match_all('/^cfn=\((\d+)\).*\ncalls=.*\n1 (\d+) /m', $dump, $matches, PREG_SET_ORDER);
    foreach ($matches as [, $number, $bytes]) {
        $all[$names[$number]] = (int) $bytes;
    }
    preg_match('/^totals: (\d+) /m', $dump, $match);
    return [$all, (int) $match[1]];
}

function dump(string $function): string
{
    $stream = fopen('php://memory', 'w+');
    $function($stream);
    rewind($stream);
    return stream_get_contents($stream);
}

function hold(int $size): string { return str_repeat('x', $size); }
function enable(): string { memprof_enable(); return hold(200_000); }

foreach (['in main()' => false, 'in a function' => true] as $where => $deep) {
    echo "-- memprof_enable() $where\n";
    $old = hold(5_000_000);
    $kept = [];
    if ($deep) {
        $kept[] = enable();
    } else {
        memprof_enable();
        $kept[] = hold(200_000);
    }
    $empty = $kept[] = str_pad('', 150_000, 'y');
    $profile = own_of_profile(dump('memprof_dump_pprof'));
    [$called, $total] = called(dump('memprof_dump_callgrind'));
    $array = memprof_dump_array();
    memprof_disable();
    foreach (['the array' => $array['memory_size_inclusive'], 'pprof' => array_sum($profile), 'callgrind' => $total] as $what => $bytes) {
        xhprof_test_between($what, $bytes, 350_000, 500_000);
    }
    $own = own($array);
    echo implode(' ', array_keys(array_filter($own, static fn (int $bytes): bool => $bytes > 100_000))), "\n";
    echo implode(' ', array_keys(array_filter($profile, static fn (int $bytes): bool => $bytes > 100_000))), "\n";
    echo implode(' ', array_keys(array_filter($called, static fn (int $bytes): bool => $bytes > 100_000))), "\n";
    echo array_sum($own) === $array['memory_size_inclusive'] ? '' : "the sums differ\n";
    echo preg_grep('/main|before/', [...array_keys($own), ...array_keys($profile), ...array_keys($called)]) === [] ? '' : "more levels\n";
}
echo "-- xhprof_alloc_dump() has both\n";
memprof_enable();
$kept = hold(200_000);
echo implode(' ', array_keys(xhprof_test_nested(xhprof_test_dump())['called_functions'])), "\n";
?>
--EXPECT--
memprof_dump_array(): the shape of memprof's, paths that hold nothing too:
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
memprof's dumps: only what was allocated since memprof_enable(), and main() is the root, in each of them:
-- memprof_enable() in main()
the array: ok
pprof: ok
callgrind: ok
root;hold;str_repeat root;str_pad
root;hold;str_repeat root;str_pad
str_pad hold str_repeat
-- memprof_enable() in a function
the array: ok
pprof: ok
callgrind: ok
root;hold;str_repeat root;str_pad
root;hold;str_repeat root;str_pad
str_pad hold str_repeat
-- xhprof_alloc_dump() has both
main() (before)
