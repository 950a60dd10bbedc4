--TEST--
200,000 calls deep with allocations tracked
--INI--
memory_limit=1G
--FILE--
<?php
require __DIR__ . '/../alloc.inc';

function deep(int $n): int
{
    $kept = pack('x1000');
    $result = $n > 0 ? deep($n - 1) : xhprof_test_deepest();
    return $result + strlen($kept) - 1000;
}

function xhprof_test_deepest(): int { Dumps::take(); return 0; }

class Dumps
{
    public static array $all = [];

    public static function take(): void
    {
        foreach ([true, false] as $types) {
            $kind = $types ? 'with types' : 'without';
            self::$all[$kind] = fopen('php://temp', 'w+');
            xhprof_alloc_dump(self::$all[$kind], 'json', ['types' => $types]);
        }
        if (memprof_enabled()) {
            $array = memprof_dump_array();
            echo $array['memory_size_inclusive'] > 256_000_000 ? "array\n" : $array['memory_size_inclusive'] . "\n";
        }
    }
}

foreach (['profile', 'memprof'] as $way) {
    $way === 'memprof' ? memprof_enable() : xhprof_enable(XHPROF_FLAGS_ALLOC);
    deep(200_000);
    $stream = fopen('php://memory', 'w+');
    xhprof_alloc_dump($stream, 'json', ['types' => false]);
    $way === 'memprof' ? memprof_disable() : xhprof_disable();
    foreach (Dumps::$all as $kind => $dump) {
        rewind($dump);
        echo "$kind ", ftell($dump) === 0 && strlen(stream_get_contents($dump)) > 300 ? 'written' : 'not written', "\n";
    }
    Dumps::$all = [];
    rewind($stream);
    $live = xhprof_test_live(stream_get_contents($stream));
    $deep = array_filter($live, static fn (string $path): bool => str_ends_with($path, ';pack'), ARRAY_FILTER_USE_KEY);
    echo count($deep), " strings left\n";
    if ($way === 'profile') {
        $tree = xhprof_call_tree();
        $self = $tree['self'];
        echo 'depth ', max($tree['depth']), ', of ', count($tree['depth']) > 400_000 ? 'all nodes' : 'too few', "\n";
        $packed = array_keys($tree['names'], 'pack')[0];
        $bytes = 0;
        $wrong = 0;
        foreach ($tree['fn'] as $i => $fn) {
            if ($fn === $packed) {
                $bytes += $self['freed_bytes'][$i];
                $wrong += $self['allocated_bytes'][$i] < 1280 || $self['live_bytes'][$i] !== 0 || $self['live_blocks'][$i] !== 0;
            }
        }
        echo intdiv($bytes, 1280 * 200_000), " time all bytes of pack(), $wrong nodes wrong\n";
    }
}
?>
--EXPECT--
with types written
without written
0 strings left
depth 200004, of all nodes
1 time all bytes of pack(), 0 nodes wrong
array
with types written
without written
0 strings left
