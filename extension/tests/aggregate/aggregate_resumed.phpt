--TEST--
xhprof.mode=aggregate: what is sampled again after a span goes with its window, ends with a fork, a fatal error or not at all, and has no other's work
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'sampling', 'pcntl_fork()', 'loopback', 'fork beside a thread'); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

$head = 'require ' . var_export(dirname(__DIR__) . '/lib.inc', true) . ';'
    . 'function seen() { $since = xhprof_test_looks(); do { work(5); } while (!xhprof_test_looked($since)); }'
    . 'function does_job() { $span = xhprof_span("job"); in_job(); $span->end(); } function in_job() { seen(); }';
foreach (['first', 'second', 'third', 'child', 'parents', 'other'] as $name) {
    $head .= "function $name() { seen(); }";
}
/** "route==>function" of what a run has samples of. */
function seen_in(array $run): array
{
    preg_match_all('~^(.*)==>(first|second|third|child|parents|other|in_job)$~m', implode("\n", array_keys($run['edges'])), $matches, PREG_SET_ORDER);
    $found = array_unique(array_map(static fn (array $m): string => basename($m[1]) . '==>' . $m[2], $matches));
    sort($found);
    return $found;
}

// A program as a whole, in three windows.
$result = xhprof_test_aggregate($head . 'first(); does_job(); clock_goes(1000); second(); does_job(); clock_goes(1000); does_job(); third();');
$windows = [];
foreach ($result['runs'] as $run) { // data that come late have a run of their own
    $windows[$run['aggregate']['from']][] = [seen_in($run), $run['aggregate']['requests']];
}
foreach ($windows as $parts) {
    $functions = array_unique(array_merge(...array_column($parts, 0)));
    sort($functions);
    echo json_encode($functions, JSON_UNESCAPED_SLASHES), ', requests ', array_sum(array_column($parts, 1)), "\n";
}
$routes = xhprof_test_routes($result['runs'], $result['folder']);
echo json_encode(array_map(static fn (array $route): array => [$route['requests'], $route['unsampled']], array_combine(array_map(basename(...), array_keys($routes)), $routes))), "\n";

// A fork when it goes on: each has its own part.
$result = xhprof_test_aggregate($head . 'first(); does_job(); if (pcntl_fork() === 0) { child(); does_job(); exit; } parents(); does_job(); pcntl_wait($status); second();');
echo json_encode(array_unique(array_merge(...array_map(seen_in(...), $result['runs']))), JSON_UNESCAPED_SLASHES), "\n";
$routes = xhprof_test_routes($result['runs'], $result['folder']);
echo json_encode(array_map(static fn (array $route): int => $route['requests'], array_combine(array_map(basename(...), array_keys($routes)), $routes))), "\n";

// Requests, in one process.
$pages = [
    'fatal' => 'does_job(); second(); undefined();',
    'memory' => 'does_job(); second(); ini_set("memory_limit", "8M"); $x = str_repeat("x", 16_000_000);',
    'ignored' => 'does_job(); second(); echo json_encode(xhprof_ignore_request());',
    'open' => '$a = xhprof_span("part"); $fiber = new Fiber(function () { $b = xhprof_span("part"); seen(); $b->end(); Fiber::suspend(); }); $fiber->start(); other(); $a->end(); second();',
    'memprof' => 'does_job(); memprof_enable(); other(); memprof_disable(); second(); memprof_enable(); other();',
    'plain' => 'second();',
];
$code = XHPROF_TEST_WORK . $head . '$page = trim($_SERVER["REQUEST_URI"], "/"); first();';
foreach ($pages as $page => $does) {
    $code .= "if (\$page === '$page') { $does }";
}
$clock = xhprof_test_clock();
$server = new XhprofTestServer($code, ['mode' => 'aggregate', 'flush_seconds' => 1, 'sampling_interval' => 1000], ['display_errors' => 0, 'log_errors' => 0], $clock);
for ($i = 0; $i < 2; $i++) {
    foreach (array_keys($pages) as $page) {
        echo $server->request("/$page")['body'];
    }
}
echo "\n";
xhprof_test_clock_goes($clock, 1000);
$server->request('/later');
$runs = $server->runs(1);
$routes = xhprof_test_routes($runs, $server->folder);
foreach ($pages as $page => $does) {
    $route = $routes["GET /$page"] ?? ['requests' => 0, 'failed' => 0, 'unsampled' => 0];
    echo "$page: $route[requests] requests, $route[failed] failed, $route[unsampled] without samples for some time, ",
        implode(' ', preg_replace('/^.*==>/', '', preg_grep("~^$page==>~", array_merge(...array_map(seen_in(...), $runs))))), "\n";
}
$server->stop();
?>
--EXPECT--
["does_job==>in_job","program.php==>first"], requests 1
["does_job==>in_job","program.php==>second"], requests 1
["does_job==>in_job","program.php==>third"], requests 2
{"job":[3,0],"program.php":[1,1]}
["does_job==>in_job","program.php==>child","program.php==>first","program.php==>parents","program.php==>second"]
{"job":3,"program.php":2}
truetrue
fatal: 2 requests, 2 failed, 2 without samples for some time, first second
memory: 2 requests, 2 failed, 2 without samples for some time, first second
ignored: 0 requests, 0 failed, 0 without samples for some time, 
open: 2 requests, 0 failed, 2 without samples for some time, first second
memprof: 2 requests, 0 failed, 2 without samples for some time, first second
plain: 2 requests, 0 failed, 0 without samples for some time, first second
