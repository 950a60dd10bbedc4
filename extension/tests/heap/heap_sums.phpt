--TEST--
A heap snapshot finds every block: sums are memory_get_usage() to the byte, nearly all of it is typed
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

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
