--TEST--
What the engine and the server keep for longer than a request is not the next request's, nor the next span's
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

// One process serves all. Each page that leaves something behind is followed by some that must not have it.
$pages = [
    // connection_status: the client hangs up
    'hangs-up' => 'ignore_user_abort(true); job("before", 0); job("within", 1); job("after", 0);',
    // exit_status, last_error_type, unclean_shutdown
    'fatal' => 'undefined();',
    'exit' => 'exit(255);',
    // error_handling: internal functions have errors thrown
    'throws-inside' => 'for ($i = 0; $i < 3; $i++) { try { new SplFileObject("/nowhere"); } catch (RuntimeException) {} try { new DateTimeZone("nowhere"); } catch (Exception) {} }',
    // user_error_handler
    'handled' => 'set_error_handler(fn() => true, E_USER_ERROR); trigger_error("as planned", E_USER_ERROR);',
    'unhandled' => 'trigger_error("as planned", E_USER_ERROR);',
    // http_response_code
    'status' => 'http_response_code(503);',
    // symbol_table, objects_store, class_table: a framework's router
    'framework' => 'eval("class WP_Query { public \$query_vars = [], \$is_home = true, \$is_single = false, \$is_category = false, \$is_archive = false, \$is_404 = false, \$is_admin = false; }");'
        . '$GLOBALS["wp_the_query"] = new WP_Query; $GLOBALS["kept"] = $GLOBALS["wp_the_query"];',
    // the program's settings
    'settings' => 'ini_set("xhprof.release", "of-a-request"); ini_set("xhprof.framework_routes", "0"); ini_set("open_basedir", __DIR__); putenv("XHPROF_TRIGGER=1"); xhprof_set_route("its own name");',
    // an error that the engine notes, of which an extension makes an exception
    'soap' => 'try { new SoapClient("/nowhere.wsdl"); } catch (SoapFault) { echo "caught"; }',
    'soap-then-fatal' => 'try { new SoapClient("/nowhere.wsdl"); } catch (SoapFault) { undefined(); }',
    'fatal-then-soap' => 'register_shutdown_function(function () { try { new SoapClient("/nowhere.wsdl"); } catch (SoapFault) {} }); undefined();',
    // an error that the program's handler takes, and then a bailout that an extension catches
    'handled-then-soap' => 'set_error_handler(fn() => true); trigger_error("taken", E_USER_ERROR); try { new SoapClient("/nowhere.wsdl"); } catch (SoapFault) {}',
    'soap-then-refused' => 'try { new SoapClient("/nowhere.wsdl"); } catch (SoapFault) {} set_error_handler(fn() => false); trigger_error("refused", E_USER_ERROR);',
    // a handler that raises errors of its own before it refuses, and one of which PHP has noted the same text before
    'refused-late' => 'set_error_handler(function () { echo @$undefined; @file_get_contents("/nowhere"); return false; }, E_USER_ERROR); trigger_error("late", E_USER_ERROR);',
    'refused-then-warning' => 'set_error_handler(fn() => false, E_USER_ERROR); register_shutdown_function(function () { trigger_error("later", E_USER_WARNING); error_clear_last(); }); trigger_error("sooner", E_USER_ERROR);',
    'handled-after-a-warning' => 'set_error_handler(fn() => true, E_USER_ERROR); @trigger_error("same", E_USER_WARNING); trigger_error("same", E_USER_ERROR);',
    'well' => '',
];
$soap = xhprof_test_available('soap') ? ['soap'] : [];
if (!$soap) {
    unset(
        $pages['soap'], $pages['soap-then-fatal'], $pages['fatal-then-soap'], $pages['handled-then-soap'], $pages['soap-then-refused'],
    );
}
$failing = ['fatal', 'unhandled', 'status', 'soap-then-fatal', 'fatal-then-soap', 'soap-then-refused', 'refused-late', 'refused-then-warning'];
$code = <<<'PHP'
    <?php
    function job($name, $hangs) {
        xhprof_begin_span("job $name");
        while ($hangs && !connection_aborted()) { echo str_repeat('x', 65536); flush(); }
        xhprof_end_span();
    }
    $page = trim($_SERVER["REQUEST_URI"], "/");
    PHP;
foreach ($pages as $page => $does) {
    $code .= " if (\$page === '$page') { $does }";
}
$clock = xhprof_test_clock();
$more = ['display_errors' => 0, 'log_errors' => 0];
$more += $soap && !extension_loaded('soap') ? ['extension' => xhprof_test_extension('soap')] : [];
$server = new XhprofTestServer($code, ['mode' => 'aggregate', 'flush_seconds' => 1, 'save_if' => '"failed@1000"'], $more, $clock);
foreach (array_keys($pages) as $page) {
    $page === 'hangs-up' ? $server->hangUp("/$page") : $server->request("/$page");
    foreach (['well', 'exit', 'handled'] as $well) {
        $server->request("/$well");
    }
    $server->request('/well', [], 'posted');
}
$runs = $server->runs(count(array_intersect($failing, array_keys($pages))));
xhprof_test_clock_goes($clock, 1000);
$server->request('/later');
$runs = $server->runs(count($runs) + 2); // one for each release
$releases = [];
foreach ($runs as $run) {
    $run['start'] === 'aggregate' && $releases[$run['release'] ?? ''] = array_keys($run['aggregate']['routes']);
}
ksort($releases);
echo 'releases: ', json_encode(array_keys($releases)), ', ', json_encode($releases["of-a-request"] ?? null), "\n";
$windows = array_values(array_filter($runs, static fn (array $run): bool => $run['start'] === 'aggregate'));
$routes = xhprof_test_routes($windows, $server->folder);
$times = count($pages);
$expected = ['POST /well' => [$times, 0, 0], 'GET /well' => [$times + 1, 0, 0], 'GET /exit' => [$times + 1, 0, 0], 'GET /handled' => [$times + 1, 0, 0],
    'GET /hangs-up' => [1, 0, 1], 'job before' => [1, 0, 0], 'job within' => [1, 0, 1], 'job after' => [1, 0, 0],
    'GET wordpress:home' => [1, 0, 0], 'its own name' => [1, 0, 0]];
foreach (array_diff(array_keys($pages), ['hangs-up', 'well', 'exit', 'handled', 'framework', 'settings']) as $page) {
    $expected["GET /$page"] = [1, (int) in_array($page, $failing, true), 0];
}
foreach ($routes as $name => $route) {
    if ($name !== 'GET /later' && [$route['requests'], $route['failed'], $route['aborted']] !== ($expected[$name] ?? null)) {
        echo "$name: $route[requests] requests, $route[failed] failed, $route[aborted] aborted, not ", json_encode($expected[$name] ?? null), "\n";
    }
}
echo implode(', ', array_diff(array_keys($expected), array_keys($routes))), "\n";
$server->stop();
?>
--EXPECT--
releases: ["","of-a-request"], ["its own name"]

