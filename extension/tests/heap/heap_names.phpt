--TEST--
Heap snapshot: hostile names and values, and memory of extensions' own
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

echo "Heap snapshot: hostile names and values; max_string, redact:\n";

$secret = 'secret: ' . str_repeat('s', 3);
$secrets = ['password' => 'hunter' . strlen($secret), 'number' => -123457890112 - strlen($secret), 'double' => 0.5];
$key = "key\n\"\\\u{2028}\x00\x80end";
$bytes = [$key => str_repeat("\xff\xfe\"\n", 3)];
$object = (object) ["prop\0erty\xC3" => str_repeat('p', 3)];
$long = str_repeat('n', 5000);
$longKey = [$long => str_repeat('k', 3)];
$class = "C\u{1F600}\x80";
eval("class $class { public string \$\u{e9}\x81 = ''; function m\x82() { return function () {}; } }");
$hostile = new $class();
$hostile->{"\u{e9}\x81"} = str_repeat('h', 3);
$cut = str_repeat('a', 79) . "\u{1F600}" . str_repeat('b', 10);
define("CONST\x83\n", str_repeat('c', 3));
$GLOBALS["global\x84\""] = str_repeat('g', 3);
$numeric = ['12' => str_repeat('1', 3), '012' => str_repeat('2', 3), '-5' => str_repeat('3', 3), '9223372036854775808' => str_repeat('4', 3)];

$file = xhprof_test_folder() . '/names';
$valid = static function (array $options) use ($file): void {
    xhprof_heap_snapshot($file, $options);
    $lines = $wrong = 0;
    $opened = fopen($file, 'r');
    while (($line = fgets($opened)) !== false) {
        $lines++;
        $wrong += !str_ends_with($line, "\n") || json_decode($line) === null || preg_match('//u', $line) !== 1;
    }
    echo $lines > 1000 ? 'lines' : $lines, ", $wrong wrong\n";
};
foreach ([[], ['max_string' => 0], ['max_string' => 1], ['max_string' => 1 << 20, 'scalars' => true], ['redact' => true]] as $options) {
    $valid($options);
}
$heap = xhprof_test_heap();
xhprof_test_heap_check($heap);
$show = static function (string $variable) use (&$heap): void {
    $node = xhprof_test_heap_global($heap, $variable);
    foreach ($node['e'] ?? [] as $edge) {
        $to = $heap['nodes'][$edge[1] ?? 0] ?? null;
        if ($to !== null && $to['t'] === 'string' && ($edge[2] ?? '') !== 'p') {
            echo json_encode([strlen((string) $edge[0]) > 100 ? substr($edge[0], 0, 10) . '...' : $edge[0], $to['v'] ?? 'no value', $to['n']]), "\n";
        }
    }
};
foreach (['bytes', 'object', 'hostile', 'numeric', 'longKey'] as $variable) {
    echo "$variable: ", json_encode(xhprof_test_heap_global($heap, $variable)['c'] ?? null), "\n";
    $show($variable);
}
echo json_encode(xhprof_test_heap_global($heap, 'cut')['v']), "\n";
echo json_encode(xhprof_test_heap_global($heap, "global\\x84\"")['v'] ?? null), "\n";
echo json_encode(xhprof_test_heap_at($heap, xhprof_test_heap_root($heap, 'global_constants'), "CONST\\x83\n")['c'] ?? null), "\n";
echo isset($heap['footer']['summary']['classes']["C\u{1F600}\\x80"]) ? "counted\n" : "not counted\n";
unset($heap);
foreach ([0, 3] as $max) {
    $heap = null;
    $heap = xhprof_test_heap(['max_string' => $max]);
    echo $heap['header']['max_string'], ' ', json_encode(xhprof_test_heap_global($heap, 'secret')['v'] ?? null), ' ', xhprof_test_heap_global($heap, 'secret')['n'], "\n";
}
unset($heap, $long, $longKey);
foreach ([false, true] as $redact) {
    xhprof_heap_snapshot($file, ['redact' => $redact, 'scalars' => true]);
    $text = file_get_contents($file);
    echo $redact ? 'redacted' : 'whole', ':';
    foreach (['secret: ', 'hunter', '-123457890123', '0.5]', '"v":', '"password"', '"redacted":true'] as $part) {
        echo " $part ", str_contains($text, $part) ? 'yes' : 'no', ',';
    }
    echo "\n";
    unset($text);
}

echo "Heap snapshot: memory of extensions' own, with its owners:\n";

/** All native nodes that are reached from a node through native ones and the engine's structures. */
function natives(array $heap, array $from): array
{
    $found = [];
    for ($queue = [$from]; $node = array_pop($queue);) {
        foreach ($node['e'] ?? [] as $edge) {
            $to = $heap['nodes'][$edge[1] ?? 0] ?? ['t' => ''];
            if (in_array($to['t'], ['native', 'engine', 'resource'], true) && !isset($found[$to['a']])) {
                $found[$to['a']] = $to;
                $queue[] = $to;
            }
        }
    }
    return array_filter($found, static fn (array $node): bool => $node['t'] === 'native');
}
function owners(array $nodes): string
{
    $owners = array_unique(array_column($nodes, 'c'));
    sort($owners);
    return implode(' ', $owners);
}
/** Native blocks that no native node, and not the root, refers to. */
function orphans(array $heap): int
{
    $orphans = array_filter($heap['nodes'], static fn (array $node): bool => $node['t'] === 'native' && ($node['b'] ?? 0) > 0);
    foreach ($heap['nodes'] as $node) {
        if ($node['t'] === 'native' || ($node['c'] ?? '') === 'native_memory') {
            foreach ($node['e'] ?? [] as $edge) {
                unset($orphans[$edge[1]]);
            }
        }
    }
    return count($orphans);
}

$date = new DateTime('2020-02-03 04:05:06', new DateTimeZone('Europe/Berlin'));
$period = new DatePeriod($date, new DateInterval('P1D'), 3);
$stream = fopen('php://memory', 'w+');
fwrite($stream, str_repeat('in the stream ', 10000));

foreach ([true, false] as $handlers) {
    unset($heap, $of_date, $of_stream, $internals, $node, $edge);
    $heap = xhprof_test_heap(['handlers' => $handlers]);
    xhprof_test_heap_check($heap);
    $of_date = natives($heap, xhprof_test_heap_global($heap, 'date'));
    echo 'DateTime: ', str_contains(owners($of_date), 'DateTime') ? 'its own' : owners($of_date), "\n";
    xhprof_test_between('bytes', array_sum(array_column($of_date, 'b')), 200, 4000);
    // What its C structure holds: a time, with the name of the zone.
    $internals = xhprof_test_heap_global($heap, 'date', 'internals');
    echo ($internals['b'] ?? null) === 0 ? 'part of the object' : 'a block', ' ', count($internals['e']) > 0 ? 'refers on' : 'refers to nothing', "\n";
    foreach ($of_date as $node) {
        foreach ($node['e'] ?? [] as $edge) {
            preg_match('/^\+\d+$/', $edge[0]) && $edge[2] === 'p' || print("a reference: " . json_encode($edge) . "\n");
        }
    }
    echo 'DatePeriod: ', owners(natives($heap, xhprof_test_heap_global($heap, 'period'))), "\n";
    $of_stream = natives($heap, xhprof_test_heap_global($heap, 'stream'));
    echo 'stream: ', owners($of_stream), "\n";
    xhprof_test_between('bytes', array_sum(array_column($of_stream, 'b')), 140_000, 300_000);
    echo orphans($heap), " orphans\n";
    $summed = $heap['summary']['owners'];
    xhprof_test_between('summed', $summed['DateTime']['bytes'] + $summed['stream']['bytes'], 140_000, 300_000);
}

echo "-- not looked for\n";
unset($heap, $of_date, $of_stream, $internals, $node, $edge);
$heap = xhprof_test_heap(['native' => false]);
xhprof_test_heap_check($heap);
echo $heap['summary']['native']['bytes'], " bytes native\n";
xhprof_test_between('unreachable', $heap['summary']['unreachable']['bytes'], 140_000, 400_000);
?>
--EXPECT--
Heap snapshot: hostile names and values; max_string, redact:
lines, 0 wrong
lines, 0 wrong
lines, 0 wrong
lines, 0 wrong
lines, 0 wrong
sound
bytes: null
["key\n\"\\\u2028\u0000\\x80end","\\xFF\\xFE\"\n\\xFF\\xFE\"\n\\xFF\\xFE\"\n",12]
object: "stdClass"
["prop\u0000erty\\xC3","ppp",3]
hostile: "C\ud83d\ude00\\x80"
["\u00e9\\x81","hhh",3]
numeric: null
[12,"111",3]
["012","222",3]
[-5,"333",3]
["9223372036854775808","444",3]
longKey: null
["nnnnnnnnnn...","kkk",3]
"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
"ggg"
"CONST\\x83\n"
counted
0 null 11
3 "sec" 11
whole: secret:  yes, hunter yes, -123457890123 yes, 0.5] yes, "v": yes, "password" yes, "redacted":true no,
redacted: secret:  no, hunter no, -123457890123 no, 0.5] no, "v": no, "password" yes, "redacted":true yes,
Heap snapshot: memory of extensions' own, with its owners:
sound
DateTime: its own
bytes: ok
part of the object refers on
DatePeriod: DatePeriod
stream: stream
bytes: ok
0 orphans
summed: ok
sound
DateTime: its own
bytes: ok
part of the object refers on
DatePeriod: DatePeriod
stream: stream
bytes: ok
0 orphans
summed: ok
-- not looked for
sound
0 bytes native
unreachable: ok
