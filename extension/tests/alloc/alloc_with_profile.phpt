--TEST--
XHPROF_FLAGS_ALLOC with times and other flags and options: columns, files, sums
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('usual figures'); ?>
--FILE--
<?php
require __DIR__ . '/../run_files.inc';
require __DIR__ . '/../alloc.inc';

class Thing
{
    public array $list = [1, 2];

    public function fill(int $n, string $letter = 'x'): void
    {
        $this->list = array_map(static fn (int $i): string => str_repeat($letter, $i), range(1, $n));
    }
}

function ignored(): string
{
    return str_repeat('i', 3000);
}

function program(): array
{
    $kept = [ignored(), str_repeat('s', 2000)];
    for ($i = 1; $i < 5; $i++) {
        $thing = new Thing();
        $thing->fill($i * 100);
        $kept[] = $thing;
    }
    xhprof_alloc_mark();
    unset($kept[3], $kept[0]);
    $kept[] = ignored();
    return $kept;
}

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);
foreach ([[8, []], [12, []], [15, []], [9, []], [14, ['ignored_functions' => ['ignored', 'array_map']]], [0, []], [7, []]] as [$flags, $options]) {
    echo "-- flags $flags, ", json_encode($options), "\n";
    $before = memory_get_usage();
    xhprof_enable($flags, $options);
    $began = memory_get_usage();
    $kept = program();
    $usage = memory_get_usage();
    $edges = xhprof_disable();
    $tree = xhprof_call_tree();
    echo implode(' ', array_keys($tree['self'])), "\n";
    echo implode(' ', array_keys($edges['main()'])), "\n";
    $id = xhprof_save('test');
    echo implode(' ', xhprof_test_run_parts($folder, "$id.test")), ': ', xhprof_test_run_list($folder), "\n";
    if ($flags & XHPROF_FLAGS_ALLOC) {
        $saved = xhprof_test_run_part($folder, "$id.test", 'tree');
        $memory = xhprof_test_run_part($folder, "$id.test", 'memory');
        $meta = xhprof_test_run_part($folder, "$id.test", 'meta');
        $self = $tree['self'];
        $zend = $memory['allocators']['zend_mm'];
        ob_start();
        echo 'keys: ', implode(' ', array_keys($memory)), '; ', implode(' ', array_keys($zend)), '; ', implode(' ', array_keys($memory['rows'])), "\n";
        $wrong = 0;
        foreach ($self['live_bytes'] as $i => $live) {
            $wrong += $live !== $self['allocated_bytes'][$i] - $self['freed_bytes'][$i];
            $wrong += $self['live_blocks'][$i] !== $self['allocated_blocks'][$i] - $self['freed_blocks'][$i];
            $wrong += $live < 0;
        }
        echo "live = allocated - freed: ", $wrong, " wrong\n";
        $sums = [];
        foreach ($memory['rows']['node'] as $i => $node) {
            $sums[$node]['bytes'] = ($sums[$node]['bytes'] ?? 0) + $memory['rows']['bytes'][$i];
            $sums[$node]['blocks'] = ($sums[$node]['blocks'] ?? 0) + $memory['rows']['blocks'][$i];
        }
        $wrong = 0;
        foreach ($self['live_bytes'] as $i => $live) {
            $wrong += $live !== ($sums[$i]['bytes'] ?? 0);
            $wrong += $self['live_blocks'][$i] !== ($sums[$i]['blocks'] ?? 0);
            unset($sums[$i]);
        }
        echo "rows and tree: $wrong wrong, others ", implode(' ', array_keys($sums)), "\n";
        echo 'all rows: ', array_sum($memory['rows']['bytes']) - $zend['size'], ', before: ', $sums[-1]['bytes'] - $zend['before_bytes'], "\n";
        foreach (['allocated_bytes', 'allocated_blocks', 'freed_bytes', 'freed_blocks'] as $column) {
            $sum = array_sum($self[$column]);
            echo $sum === $zend[$column] ? '' : "$column: $sum, $zend[$column]\n";
        }
        xhprof_test_between('size', $zend['size'] - $usage, -1000, 1000);
        // The engine may need another arena of 64 KB for the call that begins it.
        xhprof_test_between('before', max($before, $began) - $zend['before_bytes'], -1000, 100_000);
        $descending = $memory['rows']['bytes'];
        rsort($descending);
        echo 'heaviest first: ', $descending === $memory['rows']['bytes'] ? 'yes' : 'no', ', marks ', $memory['marks'], ' ',
            json_encode(array_values(array_unique($memory['rows']['mark']))) === '[0,1]' ? 'both' : 'not both', "\n";
        $columns = array_values(array_filter(array_keys($saved['self']), static fn (string $c): bool => isset($self[$c])));
        echo 'not saved: ', implode(' ', array_diff(array_keys($self), $columns)), '; saved tree: ', count(array_filter($columns, static function (string $c) use ($saved, $self): bool {
            return ($saved['self'][$c]['values'] ?? $saved['self'][$c]) !== $self[$c];
        })), " columns differ\n";
        $checks = ob_get_clean();
        echo $checks === ($earlier ?? '') ? "all checks as before\n" : $checks;
        $earlier = $checks;
        $names = $tree['names'];
        $with = [];
        foreach ($self['live_bytes'] as $i => $live) {
            $live > 0 && $with[$names[$tree['fn'][$i]]] = true;
        }
        ksort($with);
        echo 'live in: ', implode(' ', array_keys($with)), "\n";
    }
    if (($flags & 8) === 0) {
        xhprof_test_check_invariants($edges, $tree, $flags & 6);
    }
    unset($kept, $tree, $saved, $memory, $self, $sums, $names, $edges, $with, $descending, $columns, $meta);
    array_map('unlink', glob("$folder/*"));
}
echo "-- a profile that ends with its request leaves nothing\n";
xhprof_enable(XHPROF_FLAGS_ALLOC);
?>
--EXPECTF--
-- flags 8, []
wt allocated_bytes allocated_blocks freed_bytes freed_blocks live_bytes live_blocks
ct wt
memory meta tree: 1 runs
keys: unit sample_bytes marks allocators dropped peak types rows; size peak allocated_bytes allocated_blocks freed_bytes freed_blocks before_bytes; node type mark blocks bytes
live = allocated - freed: 0 wrong
rows and tree: 0 wrong, others -1
all rows: 0, before: 0
size: ok
before: ok
heaviest first: yes, marks 1 both
not saved: live_bytes live_blocks; saved tree: 0 columns differ
live in: array_map program str_repeat
-- flags 12, []
wt mu pmu allocated_bytes allocated_blocks freed_bytes freed_blocks live_bytes live_blocks
ct wt mu pmu
memory meta tree: 1 runs
all checks as before
live in: array_map program str_repeat
-- flags 15, []
wt cpu mu pmu allocated_bytes allocated_blocks freed_bytes freed_blocks live_bytes live_blocks
ct wt cpu mu pmu
memory meta tree: 1 runs
all checks as before
live in: Thing::fill Thing::{closure:alloc/alloc_with_profile.php:11} ignored program
-- flags 9, []
wt allocated_bytes allocated_blocks freed_bytes freed_blocks live_bytes live_blocks
ct wt
memory meta tree: 1 runs
all checks as before
live in: Thing::fill Thing::{closure:alloc/alloc_with_profile.php:11} ignored program
-- flags 14, {"ignored_functions":["ignored","array_map"]}
wt cpu mu pmu allocated_bytes allocated_blocks freed_bytes freed_blocks live_bytes live_blocks
ct wt cpu mu pmu
memory meta tree: 1 runs
all checks as before
live in: Thing::fill program str_repeat
-- flags 0, []
wt
ct wt
meta tree: 1 runs
invariants: ok
-- flags 7, []
wt cpu mu pmu
ct wt cpu mu pmu
meta tree: 1 runs
invariants: ok
-- a profile that ends with its request leaves nothing
