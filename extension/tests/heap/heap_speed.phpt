--TEST--
Heap snapshot: 57 MB in about the CPU time of their serialize()
--SKIPIF--
<?php
require __DIR__ . '/../needs.inc';
xhprof_test_needs("PHP's heap");
PHP_DEBUG && die('skip a debug build is slower');
xhprof_test_other_figures() && die('skip the address sanitizer is slower');
?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

final class Record
{
    public ?Record $next = null;
    public array $data = [];
    public function __construct(public int $id, public string $name)
    {
    }
}
$all = [];
for ($i = 0; memory_get_usage() < 57_000_000; $i++) {
    $record = new Record($i, "record number $i");
    $record->next = $all['records'][intdiv($i, 2)] ?? null;
    $record->data = ['id' => $i, 'tags' => ["tag $i", 'b'], 'more' => $i % 10 ? null : str_repeat('m', 200)];
    $all['records'][] = $record;
    $all['map']["key $i"] = [$i, $i * 2.5];
    if ($i % 20 === 0) {
        $all['closures'][] = static fn (): int => $record->id + $i;
    }
}
/** CPU time, us. */
function cost(Closure $work): int
{
    $start = xhprof_test_cpu();
    $work();
    return xhprof_test_cpu() - $start;
}

$file = xhprof_test_folder() . '/speed';
// 0.4 and 0.7 times as long on a machine with nothing else to do.
foreach (['summary' => 2, 'jsonl' => 3.5] as $format => $most) {
    $best = INF;
    for ($round = 0; $round < 10 && $best > $most; $round++) {
        $cost = cost(static function () use ($file, $format, &$summary): void {
            $summary = xhprof_heap_snapshot($file, ['format' => $format]);
        });
        $best = min($best, $cost / cost(static fn () => serialize($all['records'])));
    }
    xhprof_test_between($format, $best, 0, $most);
    xhprof_test_between('nodes', $summary['nodes'], 300_000, 1_000_000);
}
?>
--EXPECT--
summary: ok
nodes: ok
jsonl: ok
nodes: ok
