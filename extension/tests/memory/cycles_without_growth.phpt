--TEST--
3000 enable/disable cycles: no growth of the process or of the program's heap
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('/proc/self/smaps', 'sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

for ($i = 0; $i < 50; $i++) {
    eval("function f$i() { return f(); }");
}

function f(): int { static $n = 0; return $n++; }
function deep(int $n): int { return $n > 0 ? deep($n - 1) : f(); }
function gen(): Generator { yield f(); yield f(); }

function abandons(): void
{
    foreach (gen() as $x) {
        break;
    }
    $fiber = new Fiber(static function (): void {
        f();
        Fiber::suspend();
    });
    $fiber->start();
}

function cycle(int $i, array $options): void
{
    xhprof_enable($i % 8, $i % 3 ? null : $options);
    for ($j = 0; $j < 50; $j++) {
        "f$j"();
    }
    deep($i % 500);
    abandons();
    xhprof_disable();
    if ($i % 50 === 0) {
        xhprof_call_tree();
        xhprof_sample_enable();
        deep(20);
        xhprof_sample_disable();
    }
}

$options = ['ignored_functions' => ['f3', 'gen', 'nobody']];
for ($i = 0; $i < 600; $i++) {
    cycle($i, $options);
}
gc_collect_cycles();
$heap = $rss = 0;
$heap = memory_get_usage();
$rss = xhprof_test_memory()[0];
for ($i = 0; $i < 3000; $i++) {
    cycle($i, $options);
}
gc_collect_cycles();
xhprof_test_between('process, bytes', xhprof_test_memory()[0] - $rss, -1 << 30, 1 << 20);
xhprof_test_between('heap, bytes', memory_get_usage() - $heap, -1000, 1000);
?>
--EXPECT--
process, bytes: ok
heap, bytes: ok
