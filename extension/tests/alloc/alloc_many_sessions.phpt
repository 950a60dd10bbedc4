--TEST--
Hundreds of sessions in one process, of every kind: it does not grow
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('/proc/self/smaps'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function kept(): array
{
    $all = array_fill(0, 20_000, null);
    for ($i = 0; $i < 20_000; $i++) {
        $all[$i] = pack('x' . $i % 500);
    }
    return $all;
}

function deep(int $n): int { $kept = [$n]; return $n > 0 ? deep($n - 1) + count($kept) : 0; }

function session(int $n): void
{
    ini_set('xhprof.alloc_sample_bytes', $n % 3 === 2 ? '5000' : '0');
    $n % 2 ? memprof_enable() : xhprof_enable($n % 4 ? XHPROF_FLAGS_ALLOC : 15);
    $kept = kept();
    deep(2000);
    xhprof_alloc_mark();
    $stream = fopen('/dev/null', 'w');
    xhprof_alloc_dump($stream, 'json', ['types' => $n % 5 > 0]);
    if ($n % 2) {
        memprof_dump_array();
        memprof_disable();
    } else {
        xhprof_disable();
        xhprof_alloc_dump($stream);
    }
}

for ($n = 0; $n < 30; $n++) {
    session($n);
}
[$before, $size] = xhprof_test_memory();
$ranges = count(file('/proc/self/maps')); // their number is bounded, too
for ($n = 0; $n < 150; $n++) {
    session($n);
}
[$resident, $mapped] = xhprof_test_memory();
xhprof_test_between('resident', $resident - $before, -1 << 30, 8 << 20);
xhprof_test_between('mapped', $mapped - $size, -1 << 40, 16 << 20);
xhprof_test_between('ranges', count(file('/proc/self/maps')) - $ranges, -1000, 30);
?>
--EXPECT--
resident: ok
mapped: ok
ranges: ok
