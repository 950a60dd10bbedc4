--TEST--
xhprof_alloc_dump(): the shape of its JSON, and its settings
--FILE--
<?php
require __DIR__ . '/../alloc_formats.inc';
require __DIR__ . '/../auto.inc';

echo "xhprof_alloc_dump(): the shape, sums, types, marks, the threshold and what no function has:\n";

$before = str_repeat('b', 200_000);
xhprof_enable(XHPROF_FLAGS_ALLOC);
keep();
xhprof_disable();

$dump = json_decode(xhprof_test_dump(), true, 16, JSON_THROW_ON_ERROR);
['tree' => $tree, 'rows' => $rows] = $dump;
echo implode(' ', array_keys($dump)), "\n", implode(' ', array_keys($tree)), "\n", implode(' ', array_keys($rows)), "\n";
$lengths = [$tree['n'], count($tree['fn']), count($tree['depth']), count($tree['ct'])];
var_dump(count(array_unique(array_map('count', $rows))) === 1, count(array_unique($lengths)) === 1, $dump['pid'] === getmypid());
echo 'all of the heap is somebody\'s: ', json_encode(array_sum($rows['bytes']) === $dump['allocators']['zend_mm']['size']), "\n";

// Every node holds something, or calls what does.
$holds = array_flip($rows['node']);
$needed = 0;
for ($node = $tree['n'] - 1; $node >= 0; $node--) {
    $calls = ($tree['depth'][$node + 1] ?? 0) > $tree['depth'][$node];
    $needed += (int) ($calls || isset($holds[$node]));
}
var_dump($needed === $tree['n']);
$held = xhprof_test_held(xhprof_test_dump());
var_dump($held['(before)']['types']['(unknown)']['bytes'] > 200_000, $held['(before)']['types']['(unknown)']['blocks']);
foreach ($held['main();keep;Kept::fill;range']['types'] as $type => ['bytes' => $bytes, 'blocks' => $blocks]) {
    echo "$type: ", $bytes >= 32_000 ? 'enough bytes' : $bytes, " in $blocks, {$held['main();keep;Kept::fill']['calls']} call\n";
}
$plain = xhprof_test_dump(['types' => false]);
$types = array_map(static fn (array $of): array => array_keys($of['types']), array_values(xhprof_test_held($plain)));
echo implode(' ', array_unique(array_merge(...$types))), "\n";

echo "-- threshold\n";
$few = xhprof_test_live(xhprof_test_dump(['types' => false, 'threshold' => 7000]));
$all = xhprof_test_live($plain);
$rest = $few['(below threshold)'];
var_dump($rest[0] > 18000, array_sum(array_column($few, 0)) === array_sum(array_column($all, 0)));
var_dump(array_diff_key($few, $all) === ['(below threshold)' => $rest]);

echo "-- marks\n";
xhprof_enable(XHPROF_FLAGS_ALLOC);
$one = text(3000);
xhprof_alloc_mark();
$two = text(3001);
xhprof_disable();
$dump = json_decode(xhprof_test_dump(), true);
$of = array_filter($dump['rows']['bytes'], static fn (int $bytes): bool => $bytes === 3072);
$marks = array_intersect_key($dump['rows']['mark'], $of);
sort($marks);
echo "$dump[marks]: ", implode(' ', $marks), "\n";
var_dump(xhprof_alloc_dump(fopen('php://memory', 'w')));

echo "Settings of tracked allocations: what is out of range, wrong formats, changes while tracking:\n";

foreach (['xhprof.alloc_max_records', 'xhprof.alloc_sample_bytes', 'memprof.output_dir', 'memprof.output_format'] as $name) {
    echo "$name: ", ini_get($name), "\n";
}
set_error_handler(static function (int $type, string $message): bool {
    echo "Warning: $message\n";
    return true;
});
foreach (['xhprof.alloc_max_records' => ['999', '1000', '1000000000', '1000000001', '-1', 'x', '1M', ''],
    'xhprof.alloc_sample_bytes' => ['-1', '0', '1', '512K', '1T', 'x', '9223372036854775807'],
    'memprof.output_format' => ['', 'pprof', 'Pprof', 'callgrind', 'x'],
    'memprof.output_dir' => ['', '/nonexistent', str_repeat('x', 10000)]] as $name => $values) {
    foreach ($values as $value) {
        $before = ini_get($name);
        $set = ini_set($name, $value);
        $now = ini_get($name);
        echo "$name=", substr($value, 0, 20), ': ', $set === false ? 'refused' : 'set',
            $set === false && $now !== $before ? ", but is $now" : '', "\n";
        ini_restore($name);
    }
}

function kept(): string
{
    return str_repeat('x', 5000);
}

echo "-- changes do not touch what runs\n";
xhprof_enable(XHPROF_FLAGS_ALLOC);
ini_set('xhprof.alloc_sample_bytes', '1000000');
ini_set('xhprof.alloc_max_records', '1000');
$all = array_fill(0, 3000, null);
for ($i = 0; $i < 3000; $i++) {
    $all[$i] = kept();
}
xhprof_test_print_live(xhprof_test_dump(['types' => false]), ';kept');
$all = null;
xhprof_test_print_live(xhprof_test_dump(['types' => false]), ';kept');
ini_restore('xhprof.alloc_sample_bytes');
xhprof_disable();
echo "-- in php.ini\n";
$wrong = ['xhprof.alloc_max_records' => 1, 'xhprof.alloc_sample_bytes' => -1, 'memprof.output_format' => 'x', 'memprof.output_dir' => ''];
xhprof_test_show(xhprof_test_child(__DIR__ . '/fixture_settings.inc', [], $wrong));

echo "Allocations: the saved run has who held the memory when it was most, not only what is alive at the end:\n";

$code = <<<'PHP'
    <?php
    function early() { return str_repeat('x', 8 << 20); }
    function large() { $all = []; for ($i = 0; $i < 40; $i++) { $all[] = str_repeat('y', 1 << 20); } return count($all); }
    function small() { return str_repeat('z', 1 << 20); }
    $early = early();
    large();
    unset($early);
    $kept = small();
    PHP;
foreach ([0, 4096] as $sampled) {
    $result = xhprof_test_auto($code, ['mode' => 'alloc', 'alloc_sample_bytes' => $sampled]);
    echo $result['out'], $result['err'];
    $run = $result['runs'][0];
    $tree = xhprof_test_run_part($result['folder'], "$run[id].$run[source]", 'tree');
    $memory = xhprof_test_run_part($result['folder'], "$run[id].$run[source]", 'memory');
    $path = $held = [];
    $paths = [];
    foreach ($tree['fn'] as $node => $fn) {
        $path[$tree['depth'][$node]] = $tree['names'][$fn];
        $paths[$node] = implode('>', array_slice($path, 1, $tree['depth'][$node]));
    }
    foreach ($memory['peak']['node'] as $i => $node) {
        $held[$paths[$node]] = $memory['peak']['bytes'][$i];
    }
    $near = static fn (int $bytes, float $mb): string => abs($bytes / (1 << 20) - $mb) <= $mb * 0.07 + 0.3 ? 'ok' : (string) $bytes;
    echo 'size: ', $near($memory['peak']['size'], $memory['allocators']['zend_mm']['peak'] / (1 << 20)), "\n";
    echo 'large: ', $near($held['large>str_repeat'] ?? 0, 40), ', early: ', $near($held['early>str_repeat'] ?? 0, 8);
    echo ', small: ', $held['small>str_repeat'] ?? 'none', "\n";
    echo 'not more than all: ', $sampled || array_sum($held) <= $memory['peak']['size'] ? 'yes' : 'no', "\n";
}
?>
--EXPECT--
xhprof_alloc_dump(): the shape, sums, types, marks, the threshold and what no function has:
v kind unit time pid sample_bytes marks allocators dropped types tree rows
v kind order n names fn depth ct
node type mark blocks bytes
bool(true)
bool(true)
bool(true)
all of the heap is somebody's: true
bool(true)
bool(true)
int(0)
array: enough bytes in 2, 1 call
(unknown)
-- threshold
bool(true)
bool(true)
bool(true)
-- marks
1: 0 1
bool(true)
Settings of tracked allocations: what is out of range, wrong formats, changes while tracking:
xhprof.alloc_max_records: 10000000
xhprof.alloc_sample_bytes: 0
memprof.output_dir: /tmp
memprof.output_format: callgrind
Warning: xhprof.alloc_max_records must be between 1000 and 1000000000
xhprof.alloc_max_records=999: refused
xhprof.alloc_max_records=1000: set
xhprof.alloc_max_records=1000000000: set
Warning: xhprof.alloc_max_records must be between 1000 and 1000000000
xhprof.alloc_max_records=1000000001: refused
Warning: xhprof.alloc_max_records must be between 1000 and 1000000000
xhprof.alloc_max_records=-1: refused
Warning: xhprof.alloc_max_records must be between 1000 and 1000000000
xhprof.alloc_max_records=x: refused
xhprof.alloc_max_records=1M: set
Warning: xhprof.alloc_max_records must be between 1000 and 1000000000
xhprof.alloc_max_records=: refused
Warning: xhprof.alloc_sample_bytes must be between 0 and 1099511627776
xhprof.alloc_sample_bytes=-1: refused
xhprof.alloc_sample_bytes=0: set
xhprof.alloc_sample_bytes=1: set
xhprof.alloc_sample_bytes=512K: set
Warning: Invalid "xhprof.alloc_sample_bytes" setting. Invalid quantity "1T": unknown multiplier "T", interpreting as "1" for backwards compatibility
xhprof.alloc_sample_bytes=1T: set
Warning: Invalid "xhprof.alloc_sample_bytes" setting. Invalid quantity "x": no valid leading digits, interpreting as "0" for backwards compatibility
xhprof.alloc_sample_bytes=x: set
Warning: xhprof.alloc_sample_bytes must be between 0 and 1099511627776
xhprof.alloc_sample_bytes=9223372036854775807: refused
Warning: memprof.output_format must be callgrind or pprof
memprof.output_format=: refused
memprof.output_format=pprof: set
Warning: memprof.output_format must be callgrind or pprof
memprof.output_format=Pprof: refused
memprof.output_format=callgrind: set
Warning: memprof.output_format must be callgrind or pprof
memprof.output_format=x: refused
memprof.output_dir=: refused
memprof.output_dir=/nonexistent: set
memprof.output_dir=xxxxxxxxxxxxxxxxxxxx: set
-- changes do not touch what runs
main();kept;str_repeat: 24576000 B in 3000
-- in php.ini

Warning: xhprof.alloc_max_records must be between 1000 and 1000000000 in Unknown on line 0

Warning: xhprof.alloc_sample_bytes must be between 0 and 1099511627776 in Unknown on line 0

Warning: memprof.output_format must be callgrind or pprof in Unknown on line 0
xhprof.alloc_max_records=10000000
xhprof.alloc_sample_bytes=0
memprof.output_format=callgrind
memprof.output_dir=/tmp
Allocations: the saved run has who held the memory when it was most, not only what is alive at the end:
size: ok
large: ok, early: ok, small: none
not more than all: yes
size: ok
large: ok, early: ok, small: none
not more than all: yes
