--TEST--
xhprof.mode=aggregate with xhprof.alloc_sample_bytes: who allocates, and who holds the memory when requests are largest
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'loopback', "PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate_allocations.inc';

echo "xhprof.mode=aggregate with xhprof.alloc_sample_bytes: who allocates, by route and call path:\n";

// 90 MB in blocks of 1,024 bytes in one function, 8 MB in another; a request that ends before any tick counts as well.
$program = <<<'PHP'
    <?php
    function pieces(int $count): void { for ($i = 0; $i < $count; $i++) { str_repeat('x', 900); } }
    function heavy(): void { pieces(92_160); }
    function light(): void { pieces(8192); }
    match (strtok($_SERVER['REQUEST_URI'], '?')) { '/heavy' => heavy(), '/light' => light(), '/both' => [heavy(), light()], default => null };
    // What a window samples is no tracking of the program's.
    echo var_export(xhprof_alloc_mark(), true), ' ', var_export(@xhprof_alloc_dump(fopen('php://memory', 'w')), true);
    PHP;
foreach (['auto', 'off'] as $hooks) {
    // Each byte is a sample with p = 1/4096, whatever its neighbours: 8 MB are 2,048 samples, so that 20 % off are 9 sigma.
    $clock = xhprof_test_clock();
    $settings = ['mode' => 'aggregate', 'flush_seconds' => 1, 'hooks' => $hooks, 'alloc_sample_bytes' => 4096];
    $server = new XhprofTestServer($program, $settings, [], $clock);
    foreach (['/heavy', '/light', '/heavy', '/both', '/none'] as $path) {
        $answer = $server->request($path);
        echo $answer['body'] === 'false false' ? '' : "$path: $answer[body]\n";
    }
    xhprof_test_clock_goes($clock, 1000);
    $server->request('/light');
    xhprof_test_clock_goes($clock, 1000);
    $server->request('/last');
    $runs = $server->runs(2);
    xhprof_test_routes($runs, $server->folder);
    $bytes = xhprof_test_allocations($runs, $server->folder, 'allocated_bytes');
    $blocks = xhprof_test_allocations($runs, $server->folder, 'allocated_blocks');
    $server->stop();
    $expected = ['heavy heavy' => 2 * 90, 'light light' => 2 * 8, 'both heavy' => 90, 'both light' => 8];
    foreach ($expected as $of => $mb) {
        [$route, $function] = explode(' ', $of);
        $path = "GET /$route>$function>pieces>str_repeat";
        xhprof_test_between("$hooks: MB of $of", ($bytes[$path] ?? 0) / (1 << 20), $mb * 0.8, $mb * 1.2);
        xhprof_test_between("$hooks: blocks of $of", $blocks[$path] ?? 0, $mb * 1024 * 0.8, $mb * 1024 * 1.2);
    }
    $other = array_filter($bytes, static fn (string $path): bool => !str_ends_with($path, '>str_repeat'), ARRAY_FILTER_USE_KEY);
    xhprof_test_between("$hooks: MB elsewhere", array_sum($other) / (1 << 20), 0, 8);
    foreach ($runs as $run) {
        echo json_encode($run['aggregate']['allocations']), "\n";
    }
}

// Without the setting nothing of it is there. A value that the program changes later is for its next request.
foreach ([['', 0], ["ini_set('xhprof.alloc_sample_bytes', 4096);", 0], ["ini_set('xhprof.alloc_sample_bytes', 0);", 65536]] as [$code, $bytes]) {
    $result = xhprof_test_aggregate("$code for (\$i = 0; \$i < 20_000; \$i++) { \$kept[] = str_repeat('x', 900); }", ['alloc_sample_bytes' => $bytes]);
    echo $result['out'], $result['err'], json_encode($result['runs'][0]['aggregate']['allocations'] ?? null), ' ';
    echo xhprof_test_allocations($result['runs'], $result['folder'], 'allocated_bytes') === null ? 'none' : 'some', "\n";
}

// Spans, and children of a fork: what is allocated in one is not its parent's.
$result = xhprof_test_aggregate(<<<'PHP'
    function pieces(int $mb): array { $all = []; for ($i = 0; $i < $mb * 1024; $i++) { $all[] = str_repeat('x', 900); } return $all; }
    function of_parent(): array { return pieces(8); }
    function of_child(): array { return pieces(16); }
    $kept = of_parent();
    if (function_exists('pcntl_fork') && !pcntl_fork()) {
        unset($kept); // blocks of the parent
        of_child();
        exit;
    }
    function_exists('pcntl_fork') ? pcntl_wait($status) : of_child();
    for ($i = 0; $i < 3; $i++) {
        xhprof_begin_span('job');
        of_child();
        xhprof_end_span();
    }
    clock_goes(1000);
    PHP, ['alloc_sample_bytes' => 4096], [], ['pcntl']);
echo $result['out'], $result['err'];
$bytes = xhprof_test_allocations($result['runs'], $result['folder'], 'allocated_bytes');
foreach (['parent' => ['of_parent', 8], 'child' => ['of_child', 16]] as $whose => [$function, $mb]) {
    $found = array_filter($bytes, static fn (string $path): bool => preg_match("/^(?!job>).*>$function>pieces/", $path) === 1, ARRAY_FILTER_USE_KEY);
    xhprof_test_between("MB of the $whose", array_sum($found) / (1 << 20), $mb * 0.8, $mb * 1.2);
}
xhprof_test_between('MB of spans', ($bytes['job>of_child>pieces>str_repeat'] ?? 0) / (1 << 20), 3 * 16 * 0.8, 3 * 16 * 1.2);

echo "xhprof.mode=aggregate with xhprof.alloc_sample_bytes: who held the memory when requests were largest:\n";

// One route holds 8 MB all the time and 50 MB for a while, and allocates more later; the other allocates 90 MB and holds nothing.
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
xhprof.mode=aggregate with xhprof.alloc_sample_bytes: who allocates, by route and call path:
auto: MB of heavy heavy: ok
auto: blocks of heavy heavy: ok
auto: MB of light light: ok
auto: blocks of light light: ok
auto: MB of both heavy: ok
auto: blocks of both heavy: ok
auto: MB of both light: ok
auto: blocks of both light: ok
auto: MB elsewhere: ok
{"sample_bytes":4096,"dropped":0}
{"sample_bytes":4096,"dropped":0}
off: MB of heavy heavy: ok
off: blocks of heavy heavy: ok
off: MB of light light: ok
off: blocks of light light: ok
off: MB of both heavy: ok
off: blocks of both heavy: ok
off: MB of both light: ok
off: blocks of both light: ok
off: MB elsewhere: ok
{"sample_bytes":4096,"dropped":0}
{"sample_bytes":4096,"dropped":0}
null none
null none
{"sample_bytes":65536,"dropped":0} some
MB of the parent: ok
MB of the child: ok
MB of spans: ok
xhprof.mode=aggregate with xhprof.alloc_sample_bytes: who held the memory when requests were largest:
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
