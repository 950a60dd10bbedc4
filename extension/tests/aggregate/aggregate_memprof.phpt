--TEST--
xhprof.mode=aggregate: a request whose memory MEMPROF_PROFILE tracks from its first line is counted like any other, without samples
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';
require __DIR__ . '/../aggregate.inc';

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
plain tracked plain tracked plain plain plain tracked plain tracked plain plain 
by the request, well: 6 requests, 0 failed, 2 without samples
by the request, fails: 6 requests, 6 failed, 2 without samples
tracked tracked tracked tracked tracked tracked tracked tracked tracked tracked tracked tracked 
by the environment, well: 6 requests, 0 failed, 6 without samples
by the environment, fails: 6 requests, 6 failed, 6 without samples
exact: tracked, 0 runs
sample: tracked, 0 runs
alloc: tracked, 0 runs
