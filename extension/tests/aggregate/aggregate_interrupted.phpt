--TEST--
xhprof.mode=aggregate and xhprof.save_if: a request counts to its end, whatever begins within it
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

echo "xhprof.mode=aggregate: a request is counted to its end, whatever profile or span the program begins within it; it is sampled again when that has ended; what was not sampled is a figure:\n";

$interruptions = [
    'plain' => '',
    'exact' => 'xhprof_enable(); late(5); xhprof_disable();',
    'exact-open' => 'xhprof_enable();',
    'sampled' => 'xhprof_sample_enable(); late(5); xhprof_sample_disable();',
    'memprof' => 'memprof_enable(); late(5); memprof_disable();',
    'span' => '$span = xhprof_span("part"); late(5); $span->end();',
    'span-open' => 'xhprof_begin_span("part");',
    'span-in-span' => '$a = xhprof_span("part"); $b = xhprof_span("lies within"); late(5); unset($b, $a);',
    'profile-in-span' => '$span = xhprof_span("part"); xhprof_enable(); late(5); xhprof_disable(); late(5); $span->end();',
    'twice' => 'xhprof_enable(); xhprof_disable(); $span = xhprof_span("part"); late(5); $span->end(); xhprof_enable(); xhprof_disable();',
];
$code = XHPROF_TEST_WORK . <<<'PHP'
    function early(int $ms) { work($ms); }
    function late(int $ms) { work($ms); }
    $path = trim(strtok($_SERVER['REQUEST_URI'], '?'), '/');
    early(20);
    PHP;
foreach ($interruptions as $path => $does) {
    $code .= "\nif (\$path === '$path') { $does }";
}
$code .= <<<'PHP'

    late(20);
    match ($_GET['then'] ?? '') {
        '' => null,
        'route' => xhprof_set_route('named at the end'),
        'status' => http_response_code(500),
        'fatal' => undefined(),
        'exit' => exit,
    };
    PHP;
// What comes after these is sampled again: nothing of them can be read any more.
$resumed = ['memprof', 'span', 'span-in-span', 'profile-in-span'];
$clock = xhprof_test_clock();
$server = new XhprofTestServer(
    $code,
    ['mode' => 'aggregate', 'flush_seconds' => 1, 'sampling_interval' => 1000, 'save_if' => '"slower=35@1000"'],
    ['display_errors' => 0, 'log_errors' => 0],
    $clock,
);
foreach ($interruptions as $path => $does) {
    foreach (['', '?then=status', '?then=fatal', '?then=exit', '?then=route'] as $then) {
        if ("$path$then" !== 'span-open?then=route') { // that names the span
            $server->request("/$path$then");
        }
    }
}
xhprof_test_clock_goes($clock, 1000);
$server->request('/later');
$runs = $server->runs(1 + 5 * count($interruptions));
$windows = array_values(array_filter($runs, static fn (array $run): bool => $run['start'] === 'aggregate'));
$routes = xhprof_test_routes($windows, $server->folder);
$edges = xhprof_test_all_edges($windows);
$part = $routes['part'];
unset($routes['GET /later'], $routes['part']);
foreach ($routes as $name => $route) {
    $path = substr($name, 5);
    $interrupted = $path !== 'plain';
    $expected = $name === 'named at the end' ? [count($interruptions) - 1, 0, count($interruptions) - 2] : [4, 2, $interrupted ? 4 : 0];
    echo [$route['requests'], $route['failed'], $route['unsampled']] === $expected ? '' : "$name: " . json_encode($route) . "\n";
    // All of the time, of which the part without samples is one.
    $again = $name === 'named at the end' ? count($resumed) : (in_array($path, $resumed, true) ? $route['unsampled'] : 0);
    $least = 5_000 * $again + 20_000 * ($route['unsampled'] - $again);
    $sampled = 40_000 * ($route['requests'] - $route['unsampled'] + $again) + 20_000 * ($route['unsampled'] - $again);
    if ($route['wall_us'] < 40_000 * $route['requests'] || $route['unsampled_us'] < $least || $route['unsampled_us'] > $route['wall_us'] - $sampled) {
        echo "$name: times ", json_encode($route), "\n";
    }
    $early = isset($edges["$name==>early"]);
    $late = isset($edges["$name==>late"]);
    echo $early && $late === (!$interrupted || $again > 0) ? '' : "$name: samples\n";
    echo $interrupted && $route['cut'] ? "$name is cut\n" : '';
}
echo count($routes), " routes\n";
echo "part: $part[requests], failed $part[failed], cut $part[cut], without samples for some time $part[unsampled]\n";
$saved = array_filter($runs, static fn (array $run): bool => isset($run['saved_if']) && ($run['name'] ?? '') === '' && $run['url'] !== '/later');
echo 'saved: ', count($saved), ', whole: ', count(array_filter($saved, static fn (array $run): bool => !isset($run['ended_by']))), "\n";
foreach ($saved as $run) {
    if ($run['saved_if'] !== 'slower=35' || $run['mode'] !== 'sample' || !str_starts_with($run['url'], '/') || $run['samples'] < 1 || $run['ts'] < time() - 3600) {
        echo json_encode(array_diff_key($run, ['edges' => 1])), "\n";
    }
}
$reasons = array_unique(array_filter(array_column($saved, 'ended_by')));
sort($reasons);
echo implode(', ', $reasons), "\n";
$server->stop();

echo "xhprof.save_if counts the operations of a whole request, whatever profile or span the program begins within it:\n";

// Each has operations before, within and after it: three times one of each kind.
$interruptions = [
    'plain' => 'OPERATIONS',
    'exact' => 'xhprof_enable(); OPERATIONS xhprof_disable();',
    'exact-cpu' => 'xhprof_enable(XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY | XHPROF_FLAGS_ALLOC); OPERATIONS xhprof_disable();',
    'without-builtins' => 'xhprof_enable(XHPROF_FLAGS_NO_BUILTINS); OPERATIONS xhprof_disable();',
    'exact-open' => 'xhprof_enable(); OPERATIONS',
    'sampled' => 'xhprof_sample_enable(); OPERATIONS xhprof_sample_disable();',
    'sampled-open' => 'xhprof_sample_enable(); OPERATIONS',
    'memprof' => 'memprof_enable(); OPERATIONS memprof_disable();',
    'memprof-open' => 'memprof_enable(); OPERATIONS',
    'span' => 'xhprof_begin_span("part"); OPERATIONS xhprof_end_span();',
    'span-open' => 'xhprof_begin_span("part"); OPERATIONS',
    'profile-in-span' => 'xhprof_begin_span("part"); xhprof_enable(); OPERATIONS xhprof_disable(); xhprof_end_span();',
    'twice' => 'xhprof_enable(); xhprof_disable(); $span = xhprof_span("part"); OPERATIONS $span->end(); memprof_enable(); memprof_disable(); xhprof_enable(); xhprof_disable();',
];
$code = '<?php function operations() { file_get_contents(__FILE__); gc_collect_cycles(); eval("return 1;"); usleep(1); }'
    . ' $path = trim($_SERVER["REQUEST_URI"], "/"); operations();';
foreach ($interruptions as $path => $does) {
    $code .= " if (\$path === '$path') { " . str_replace('OPERATIONS', 'operations();', $does) . ' }';
}
$code .= ' operations();';

/** @return array<string, string> what has saved which page; spans left out */
function saved(string $conditions, array $ini): array
{
    $conditions = str_replace(',', '@1000,', $conditions);
    $clock = xhprof_test_clock();
    $server = new XhprofTestServer($GLOBALS['code'], ['mode' => 'aggregate', 'flush_seconds' => 1, 'save_if' => "\"$conditions@1000, route=GET /later@1000\"", ...$ini], [], $clock);
    foreach ([...array_keys($GLOBALS['interruptions']), 'later'] as $path) {
        $server->request("/$path");
    }
    for ($try = 0; $try < 1000 && preg_grep('~/later~', array_column(xhprof_test_runs($server->folder), 'url')) === []; $try++) {
        usleep(5000);
    }
    $runs = array_filter(xhprof_test_runs($server->folder), static fn (array $run): bool => isset($run['saved_if']) && !isset($run['name']) && $run['url'] !== '/later');
    $server->stop();
    $paths = array_map(static fn (array $run): string => trim($run['url'], '/'), $runs);
    return array_combine($paths, array_column($runs, 'saved_if'));
}

foreach (['auto', 'walk'] as $hooks) {
    // The page itself is compiled too.
    $fewer = array_diff(array_keys($interruptions), array_keys(saved('file=2&gc=2&compile=3&sleep=2', ['hooks' => $hooks])));
    $more = saved('file=3, gc=3, compile=4, sleep=3', ['hooks' => $hooks]);
    echo "$hooks: fewer in ", json_encode(array_values($fewer)), ', more in ', json_encode($more), "\n";
}

echo "xhprof.mode=aggregate: a request whose memory MEMPROF_PROFILE tracks from its first line is counted like any other, without samples:\n";

$code = '<?php str_contains($_SERVER["REQUEST_URI"], "/fails") && http_response_code(500); echo memprof_enabled() ? "tracked" : "plain";';
$tracked = 'MEMPROF_PROFILE=1&XHPROF_TRIGGER=secret';
foreach (['by the request' => [], 'by the environment' => ['MEMPROF_PROFILE' => '1']] as $label => $env) {
    $clock = xhprof_test_clock();
    $server = new XhprofTestServer($code, ['mode' => 'aggregate', 'flush_seconds' => 1, 'trigger_value' => 'secret'], [], $clock + $env);
    foreach (['well', 'fails'] as $path) {
        foreach (['', "?$tracked", '', "?$tracked", '', ''] as $query) {
            echo $server->request("/$path$query")['body'], ' ';
        }
    }
    xhprof_test_clock_goes($clock, 1000);
    $server->request('/later');
    $routes = xhprof_test_routes($server->runs(1), $server->folder);
    echo "\n";
    foreach (['well', 'fails'] as $path) {
        $route = $routes["GET /$path"] ?? ['requests' => 0, 'failed' => 0, 'unsampled' => 0];
        echo "$label, $path: $route[requests] requests, $route[failed] failed, $route[unsampled] without samples\n";
    }
    $server->stop();
}

// In other modes there is no run: it would end before the first line.
$folder = xhprof_test_folder();
foreach (['exact', 'sample', 'alloc'] as $mode) {
    $child = xhprof_test_auto('<?php echo memprof_enabled() ? "tracked" : "plain";', ['mode' => $mode], ['MEMPROF_PROFILE' => '1']);
    echo "$mode: $child[out]$child[err], ", count($child['runs']), " runs\n";
}
?>
--EXPECT--
xhprof.mode=aggregate: a request is counted to its end, whatever profile or span the program begins within it; it is sampled again when that has ended; what was not sampled is a figure:
11 routes
part: 24, failed 2, cut 0, without samples for some time 5
saved: 49, whole: 5
interruption, span, xhprof_enable, xhprof_sample_enable
xhprof.save_if counts the operations of a whole request, whatever profile or span the program begins within it:
auto: fewer in [], more in []
walk: fewer in [], more in []
xhprof.mode=aggregate: a request whose memory MEMPROF_PROFILE tracks from its first line is counted like any other, without samples:
plain tracked plain tracked plain plain plain tracked plain tracked plain plain 
by the request, well: 6 requests, 0 failed, 2 without samples
by the request, fails: 6 requests, 6 failed, 2 without samples
tracked tracked tracked tracked tracked tracked tracked tracked tracked tracked tracked tracked 
by the environment, well: 6 requests, 0 failed, 6 without samples
by the environment, fails: 6 requests, 6 failed, 6 without samples
exact: tracked, 0 runs
sample: tracked, 0 runs
alloc: tracked, 0 runs
