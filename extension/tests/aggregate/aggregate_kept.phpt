--TEST--
xhprof.mode=aggregate: what a process keeps of its requests, by route
--SKIPIF--
<?php
require __DIR__ . '/../needs.inc';
xhprof_test_needs('test clock', 'loopback');
if (!is_readable('/proc/self/statm') || ZEND_THREAD_SAFE) {
    die('skip needs /proc, and a process for each request');
}
?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

const MB = 1 << 20;

/** @return array<string, array{int, int}> requests and bytes, by route */
function kept(array $runs): array
{
    $sums = [];
    foreach ($runs as $run) {
        foreach ($run['aggregate']['routes'] as $name => $route) {
            $sums[$name][0] = ($sums[$name][0] ?? 0) + ($route['kept']['requests'] ?? 0);
            $sums[$name][1] = ($sums[$name][1] ?? 0) + ($route['kept']['bytes'] ?? 0);
        }
    }
    return $sums;
}

function mean(array $kept, string $route): float { return $kept[$route][1] / $kept[$route][0]; }

// PCRE keeps what it has compiled for the next requests, out of sight of memory_limit. The other route takes as much, and gives it back.
$program = <<<'PHP'
    function leak(): void { for ($i = 0; $i < 100; $i++) { preg_match('/' . hrtime(true) . " $i" . str_repeat('x', 20_000) . '/', ''); } }
    function work_of(string $route): void { $route === '/leak' ? leak() : str_repeat('x', 6_000_000); }
    work_of($_SERVER['REQUEST_URI']);
    PHP;
$settings = ['mode' => 'aggregate', 'flush_seconds' => 1, 'sampling_interval' => 1000, 'trigger_value' => 's3cret'];
$clock = xhprof_test_clock();
$server = new XhprofTestServer("<?php $program", $settings, ['pcre.jit' => 0], $clock);
$server->request('/first');
for ($i = 0; $i < 6; $i++) {
    $server->request('/leak');
    $server->request('/other');
    if ($i === 2) {
        xhprof_test_clock_goes($clock, 1000);
    }
}
// One that is profiled by itself belongs to no route of the aggregate, and what it keeps to none.
$server->request('/leak', ['Cookie' => 'XHPROF_TRIGGER=s3cret']);
$server->request('/last');
xhprof_test_clock_goes($clock, 1000);
$server->request('/later');
$runs = array_filter($server->runs(3), static fn (array $run): bool => $run['start'] === 'aggregate');
xhprof_test_routes(array_values($runs), $server->folder);
$kept = kept($runs);
echo 'windows: ', count($runs), "\n";
// The process's first request, which fills its caches, is not counted. What it kept of /last counts with /later, whose window is not over.
foreach (['/first', '/leak', '/other', '/last'] as $route) {
    echo "$route: ", $kept["GET $route"][0], "\n";
}
xhprof_test_between('MB of /leak', mean($kept, 'GET /leak') / MB, 3, 30);
xhprof_test_between('MB of /other', mean($kept, 'GET /other') / MB, -1, 1);
$server->stop();

// Jobs of a worker: spans.
$run = xhprof_test_aggregate(<<<'PHP'
    ini_set('memory_limit', -1);
    $kept = [];
    for ($i = 0; $i < 6; $i++) {
        xhprof_begin_span('keeps');
        $kept[] = str_repeat('x', 6_000_000);
        xhprof_end_span();
        xhprof_begin_span('frees');
        str_repeat('x', 6_000_000);
        xhprof_end_span();
    }
    PHP, ['start_with_request' => 'no']);
echo $run['out'], $run['err'];
$kept = kept($run['runs']);
echo 'keeps: ', $kept['keeps'][0], ', frees: ', $kept['frees'][0], "\n";
xhprof_test_between('MB of keeps', mean($kept, 'keeps') / MB, 3, 30);
xhprof_test_between('MB of frees', mean($kept, 'frees') / MB, -1, 1);
?>
--EXPECT--
windows: 2
/first: 0
/leak: 6
/other: 6
/last: 0
MB of /leak: ok
MB of /other: ok
keeps: 5, frees: 5
MB of keeps: ok
MB of frees: ok
