--TEST--
A request has failed if it ended so itself: what an earlier one of its process left in PHP does not count, and what comes after its error does not undo it
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

$pages = [
    'throw' => 'throw new RuntimeException("as planned");',
    'fatal' => 'undefined();',
    'memory' => 'ini_set("memory_limit", "8M"); $x = str_repeat("x", 16_000_000);',
    'parse' => 'eval("not php");',
    'fatal-then-warning' => 'register_shutdown_function(fn() => print(@$undefined . @file_get_contents("/nowhere"))); undefined();',
    'fatal-then-cleared' => 'register_shutdown_function("error_clear_last"); undefined();',
    'fatal-after-output' => 'echo str_repeat("x", 100_000); flush(); undefined();',
    'user-error' => 'trigger_error("as planned", E_USER_ERROR);',
    'user-error-refused' => 'set_error_handler(fn() => false, E_USER_ERROR); trigger_error("as planned", E_USER_ERROR);',
    'code' => 'http_response_code(503);',
    'header' => 'header("HTTP/1.1 500 As Planned");',
    'header-code' => 'header("X-Planned: yes", true, 502);',
    'in-destructor' => 'class Last { function __destruct() { throw new RuntimeException("as planned"); } } $last = new Last;',
    // Those are well.
    'user-error-handled' => 'set_error_handler(fn() => true, E_USER_ERROR); trigger_error("as planned", E_USER_ERROR);',
    'caught' => 'try { undefined(); } catch (Error) {} try { eval("not php"); } catch (ParseError) {}',
    'warning' => 'file_get_contents("/nowhere");',
    'not-found' => 'http_response_code(404);',
    'taken-back' => 'http_response_code(500); http_response_code(200);',
    'exit' => 'exit(255);',
    'plain' => '',
];
$bad = array_slice(array_keys($pages), 0, 13);
$code = '<?php $page = trim($_SERVER["REQUEST_URI"], "/");';
foreach ($pages as $page => $does) {
    $code .= " if (\$page === '$page') { $does }";
}
foreach (['aggregate', 'exact', 'sample'] as $mode) {
    $clock = xhprof_test_clock();
    $server = new XhprofTestServer(
        $code,
        ['mode' => $mode, 'flush_seconds' => 1, 'sampling_interval' => 1000, 'save_if' => '"failed@1000"'],
        ['display_errors' => 0, 'log_errors' => 0],
        $clock,
    );
    // Each bad page is followed by all the good ones: none of these may inherit anything.
    foreach ($bad as $page) {
        $server->request("/$page");
        foreach (array_diff(array_keys($pages), $bad) as $well) {
            $server->request("/$well");
        }
    }
    xhprof_test_clock_goes($clock, 1000);
    $server->request('/later');
    $runs = $server->runs(count($bad) + ($mode === 'aggregate' ? 1 : 0));
    if ($mode === 'aggregate') {
        $routes = xhprof_test_routes(array_values(array_filter($runs, static fn (array $run): bool => $run['start'] === 'aggregate')), $server->folder);
        unset($routes['GET /later']);
        foreach ($routes as $name => $route) {
            $failed = in_array(substr($name, 5), $bad, true);
            echo [$route['requests'], $route['failed']] === ($failed ? [1, 1] : [13, 0]) ? '' : "$name: $route[failed] of $route[requests]\n";
        }
        echo count($routes), " routes\n";
    }
    foreach ($runs as $run) {
        isset($run['saved_if']) && $run['failed'] !== true && print("$run[url] is not marked as failed\n");
    }
    $saved = array_map(static fn (array $run): string => trim($run['url'] ?? '', '/'), array_filter($runs, static fn (array $run): bool => isset($run['saved_if'])));
    echo "$mode: saved ", count($saved), ', not ', json_encode(array_values(array_diff($bad, $saved))), ', but ', json_encode(array_values(array_diff($saved, $bad))), "\n";
    $server->stop();
}
?>
--EXPECT--
20 routes
aggregate: saved 13, not [], but []
exact: saved 13, not [], but []
sample: saved 13, not [], but []
