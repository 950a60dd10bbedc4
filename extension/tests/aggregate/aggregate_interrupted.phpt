--TEST--
xhprof.mode=aggregate: a request is counted to its end, whatever profile or span the program begins within it; it is sampled again when that has ended; what was not sampled is a figure
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';
require __DIR__ . '/../aggregate.inc';

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
?>
--EXPECT--
11 routes
part: 24, failed 2, cut 0, without samples for some time 5
saved: 49, whole: 5
interruption, span, xhprof_enable, xhprof_sample_enable
