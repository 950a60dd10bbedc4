--TEST--
Heap snapshot: weak references, and sums of every block
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

echo "Heap snapshot: weak references and weak maps do not keep alive:\n";

class Target
{
    public string $name = '';
}
class Value
{
}
$kept = new Target();
$kept->name = str_repeat('k', 3);
$weak = WeakReference::create($kept);
$gone = WeakReference::create(new Target());
$map = new WeakMap();
$map[$kept] = new Value();
$inner = new Target();
$holder = [$inner];
$map[$inner] = [new Value(), 'key' => $inner];
unset($inner);
$other = new WeakMap();
$other[$kept] = str_repeat('o', 3);
$empty = new WeakMap();

/** Whether a node is reached from the roots by references that keep alive. */
function kept(array $heap, int $address): bool
{
    $todo = [];
    foreach ($heap['nodes'] as $node) {
        if ($node['t'] === 'root' && !in_array($node['c'], ['objects_store', 'unreachable', 'native_memory'], true)) {
            $todo[] = $node['a'];
        }
    }
    $seen = array_fill_keys($todo, true);
    while ($todo) {
        foreach ($heap['nodes'][array_pop($todo)]['e'] ?? [] as $edge) {
            if ($edge[1] !== null && ($edge[2] ?? '') !== 'w' && !isset($seen[$edge[1]])) {
                $seen[$edge[1]] = true;
                $todo[] = $edge[1];
            }
        }
    }
    return isset($seen[$address]);
}
$heap = xhprof_test_heap();
xhprof_test_heap_check($heap);
$show = static function (string $variable, string|int ...$names) use ($heap): void {
    echo implode('.', [$variable, ...$names]), ': ', xhprof_test_heap_text(xhprof_test_heap_global($heap, $variable, ...$names)), "\n";
};
foreach (['Target', 'Value', 'WeakMap', 'WeakReference'] as $class) {
    echo $class, ' ', $heap['footer']['summary']['classes'][$class]['count'] ?? 0, "\n";
}
$show('weak');
$show('gone');
$show('map');
$show('other');
$show('empty');
$show('kept');
echo kept($heap, xhprof_test_heap_global($heap, 'kept')['a']) ? "kept\n" : "not kept\n";
unset($kept, $heap, $show);
$weak->get() === null && print("gone\n");
$heap = xhprof_test_heap();
xhprof_test_heap_check($heap);
foreach (['Target', 'Value'] as $class) {
    echo $class, ' ', $heap['footer']['summary']['classes'][$class]['count'] ?? 0, "\n";
}
// Held by a weak map alone: by its own value. The collector takes it only where it can.
unset($holder, $heap);
$heap = xhprof_test_heap();
xhprof_test_heap_check($heap);
foreach ($heap['nodes'] as $node) {
    ($node['c'] ?? '') === 'Target' && $node['t'] === 'object' && print(kept($heap, $node['a']) ? "kept by its own value\n" : "not kept\n");
}

echo "A heap snapshot finds every block: sums are memory_get_usage() to the byte, nearly all of it is typed:\n";

/** A heap of some megabytes with all kinds of values. */
class Point
{
    public array $more = [];
    public function __construct(public int $x, public ?Point $next = null, public string $name = '')
    {
    }
}
function mixed_heap(): array
{
    $all = [];
    for ($i = 0; $i < 2000; $i++) {
        $all['strings'][] = str_repeat('s', $i);
        $all['points'][] = new Point($i, $all['points'][$i - 1] ?? null, "point $i");
        $all['maps'][] = ["key $i" => $i, 'next' => [$i, 1.5, "value $i"]];
        $all['closures'][] = static fn (int $n): int => $n + $i;
        $all['objects'][] = (object) ['a' => $i, "b$i" => [$i]];
    }
    $all['packed'] = range(1, 100_000);
    $all['hash'] = array_combine(range(1, 40_000, 2), range(1, 20_000));
    $all['huge'] = str_repeat('h', 5_000_000);
    $all['large'] = str_repeat('l', 100_000);
    for ($i = 0; $i < 300; $i++) {
        $generator = (static function () use ($i): Generator {
            $local = "local $i";
            yield $i;
            yield $local;
        })();
        $i % 2 && $generator->current();
        $all['generators'][] = $generator;
        $all['references'][] = &$all['referenced'][$i];
    }
    return $all;
}
/** Whether the engine's figures are those of the snapshot. */
function same(string $label): void
{
    static $file = null;
    $file ??= xhprof_test_folder() . '/sums';
    $peak = memory_get_peak_usage();
    $real = memory_get_usage(true);
    $usage = memory_get_usage();
    $summary = xhprof_heap_snapshot($file);
    $header = json_decode(fgets(fopen($file, 'r')), true);
    $tiers = $summary['typed']['bytes'] + $summary['native']['bytes'] + $summary['unreachable']['bytes'];
    $wanted = [$usage, $real, $usage, $usage];
    $found = [$header['usage'], $header['real_usage'], $summary['usage'], $tiers];
    echo $label, $wanted === $found ? ' ok' : ' ' . json_encode([$wanted, $found]);
    echo $header['peak'] >= $peak && $header['peak'] <= $peak + 10_000 ? '' : " peak $peak {$header['peak']}";
    echo xhprof_test_heap_typed($summary) >= 99 || $usage < 3_000_000 || xhprof_test_other_figures() ? '' : " typed: {$summary['typed_percent']} %";
    echo $summary['unreadable'] === 0 ? '' : " unreadable: {$summary['unreadable']}";
    echo $summary['incomplete'] ? ' incomplete' : '', "\n";
}
same('at the start');
same('again');
$all = mixed_heap();
same('mixed');
xhprof_test_heap_check(xhprof_test_heap());
unset($all['huge']);
same('huge freed');
$all['huge'] = str_repeat('h', 3_000_000);
same('huge again');
foreach (['strings', 'points', 'maps', 'generators', 'large'] as $key) {
    unset($all[$key]);
    same("without $key");
}
gc_collect_cycles();
gc_mem_caches();
same('collected');
unset($all);
same('at the end');
ini_set('memory_limit', '300M');
echo xhprof_test_heap()['header']['limit'] === 300 << 20 ? 'limit ok' : 'limit', "\n";
?>
--EXPECT--
Heap snapshot: weak references and weak maps do not keep alive:
sound
Target 2
Value 2
WeakMap 3
WeakReference 2
weak: object WeakReference r=1 {referent/w}
gone: object WeakReference r=1
map: object WeakMap r=1 {key/w, value, key/w, value}
other: object WeakMap r=1 {key/w, value}
empty: object WeakMap r=1
kept: object Target r=1 {name}
kept
gone
sound
Target 1
Value 1
sound
kept by its own value
A heap snapshot finds every block: sums are memory_get_usage() to the byte, nearly all of it is typed:
at the start ok
again ok
mixed ok
sound
huge freed ok
huge again ok
without strings ok
without points ok
without maps ok
without generators ok
without large ok
collected ok
at the end ok
limit ok
