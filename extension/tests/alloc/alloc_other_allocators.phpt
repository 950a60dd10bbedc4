--TEST--
Tracked on the system's allocator (USE_ZEND_ALLOC=0), on the engine's tracking one, and beside huge pages
--FILE--
<?php
require __DIR__ . '/../alloc.inc';

function kept(int $size): string { return str_repeat('x', $size); }

if (isset($argv[1])) {
    error_reporting(E_ALL);
    $before = kept(10_000);
    if ($argv[1] === 'memprof') {
        memprof_enable();
    } else {
        xhprof_enable(XHPROF_FLAGS_ALLOC | XHPROF_FLAGS_MEMORY | XHPROF_FLAGS_CPU);
    }
    $usage = memory_get_usage();
    $a = kept(1000);
    $b = kept(100_000);
    $c = kept(5_000_000);
    $a .= kept(3000);
    unset($before);
    unset($b);
    for ($i = 0; $i < 1000; $i++) {
        $all[$i] = kept($i);
    }
    unset($all);
    $live = xhprof_test_live(xhprof_test_dump(['types' => false]));
    // What is asked for or taken: between the one and the other.
    xhprof_test_between('huge', $live['main();kept;str_repeat'][0] ?? null, 5_000_025, 5_300_000);
    xhprof_test_between('extended', $live['main()'][0] ?? null, 4025, 12_000);
    echo $live['main();kept;str_repeat'][1], " block\n";
    echo strlen($a . $c), "\n";
    gc_mem_caches();
    $argv[1] === 'memprof' ? memprof_disable() : xhprof_disable();
    echo strlen(kept(10)), "\n";
    exit(0);
}
$env = getenv();
foreach ([['USE_ZEND_ALLOC' => '0'], ['USE_ZEND_ALLOC' => '0', 'USE_TRACKED_ALLOC' => '1'], ['USE_ZEND_ALLOC_HUGE_PAGES' => '1'],
    []] as $more) {
    foreach (['profile', 'memprof'] as $way) {
        foreach ([0, 1000] as $sampled) {
            $child = xhprof_test_child(__FILE__, [$way], $sampled ? ['xhprof.alloc_sample_bytes' => 1] : [], [], null, $more + $env);
            $first ??= $child;
            if ($child !== $first || !isset($shown)) {
                echo '-- ', json_encode($more), " $way ", $sampled ? 'sampled' : 'exact', "\n";
                xhprof_test_show($child);
                $shown = true;
            }
        }
    }
}
?>
--EXPECT--
-- {"USE_ZEND_ALLOC":"0"} profile exact
huge: ok
extended: ok
1 block
5004000
10
