--TEST--
xhprof.mode=aggregate with xhprof.alloc_sample_bytes: who held the memory when requests were largest
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'loopback', "PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';
require __DIR__ . '/../aggregate.inc';
require __DIR__ . '/../aggregate_allocations.inc';

// One route holds 8 MB all the time and 50 MB for a while, and allocates more later; the other allocates 90 MB and holds none of it.
$program = '<?php ' . PIECES . <<<'PHP'
    function early(): array { return pieces(8); }
    function cache(): array { return pieces(50); }
    function late(): array { return pieces(20); }
    function garbage(): void { for ($i = 0; $i < 92_160; $i++) { str_repeat('x', 900); } }
    function holds(): void { $early = early(); $cache = cache(); $cache = null; $late = late(); }
    match ($_SERVER['REQUEST_URI']) { '/holds' => holds(), '/garbage' => garbage(), default => null };
    PHP;
$clock = xhprof_test_clock();
$server = new XhprofTestServer($program, ['mode' => 'aggregate', 'flush_seconds' => 1, 'alloc_sample_bytes' => 4096], [], $clock);
foreach (['/holds', '/garbage', '/holds'] as $path) {
    $server->request($path);
}
xhprof_test_clock_goes($clock, 1000);
$server->request('/holds');
xhprof_test_clock_goes($clock, 1000);
$server->request('/last');
$runs = $server->runs(2);
xhprof_test_routes($runs, $server->folder);
$held = xhprof_test_allocations($runs, $server->folder, 'peak_bytes');
$allocated = xhprof_test_allocations($runs, $server->folder, 'allocated_bytes');
$server->stop();
near('cache', $held['GET /holds>holds>cache>pieces>str_repeat'] ?? null, 3 * 50);
near('early', $held['GET /holds>holds>early>pieces>str_repeat'] ?? null, 3 * 8);
echo 'late: ', $held['GET /holds>holds>late>pieces>str_repeat'] ?? 0, "\n";
near('late, allocated', $allocated['GET /holds>holds>late>pieces>str_repeat'] ?? null, 3 * 20);
near('garbage, allocated', $allocated['GET /garbage>garbage>str_repeat'] ?? null, 90);
xhprof_test_between('MB of garbage', ($held['GET /garbage>garbage>str_repeat'] ?? 0) / (1 << 20), 0, 1);

// A program that lasts for windows: its samples are taken from window to window, its peak is that of the whole.
$result = xhprof_test_aggregate(PIECES . <<<'PHP'
    function first(): array { return pieces(16); }
    function second(): array { return pieces(8); }
    $first = first();
    clock_goes(1000);
    work(100);
    $second = second();
    $first = $second = null;
    clock_goes(1000);
    work(100);
    PHP, ['alloc_sample_bytes' => 4096]);
echo $result['out'], $result['err'];
foreach (['peak_bytes', 'allocated_bytes'] as $column) {
    $bytes = xhprof_test_allocations($result['runs'], $result['folder'], $column);
    $route = array_key_first(xhprof_test_routes($result['runs'], $result['folder']));
    near("first, $column", $bytes["$route>first>pieces>str_repeat"] ?? null, 16);
    near("second, $column", $bytes["$route>second>pieces>str_repeat"] ?? null, 8);
}
?>
--EXPECT--
MB of cache: ok
MB of early: ok
late: 0
MB of late, allocated: ok
MB of garbage, allocated: ok
MB of garbage: ok
MB of first, peak_bytes: ok
MB of second, peak_bytes: ok
MB of first, allocated_bytes: ok
MB of second, allocated_bytes: ok
