--TEST--
A span has failed by what happened in it: not by the status or the error of an earlier one, and again where the same status is set again
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock'); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

$code = <<<'PHP'
    function job(string $name, callable $does) { xhprof_begin_span($name); work(2); $does(); xhprof_end_span(); }
    $nothing = static function (): void {};
    job('01 well', $nothing);
    job('02 fails', static fn () => http_response_code(500));
    job('03 well', $nothing);
    job('04 asks', static fn () => http_response_code());
    job('05 fails', static fn () => http_response_code(500));
    job('06 fails', static fn () => http_response_code(502));
    job('07 fails', static fn () => header('HTTP/1.1 502 Bad', true));
    job('08 fails', static fn () => header('X-A: b', true, 502));
    job('09 well', static fn () => header('X-A: b'));
    job('10 taken back', static function (): void { http_response_code(500); http_response_code(200); });
    set_error_handler(static fn () => true);
    job('11 handled', static fn () => @trigger_error('as planned', E_USER_ERROR));
    restore_error_handler();
    job('12 caught', static function (): void { try { undefined(); } catch (Error) {} });
    http_response_code(500);
    job('13 well', $nothing);
    register_shutdown_function(static fn () => job('15 well', $nothing));
    xhprof_begin_span('14 fails');
    work(2);
    undefined();
    PHP;
foreach (['aggregate', 'exact'] as $mode) {
    $result = xhprof_test_aggregate($code, ['mode' => $mode, 'start_with_request' => $mode === 'exact' ? 'yes' : 'no', 'save_if' => '"failed@1000"'], ['display_errors' => 0, 'log_errors' => 0, 'output_buffering' => 4096]);
    echo "$mode: code $result[code], $result[out]$result[err]";
    if ($mode === 'aggregate') {
        $windows = array_values(array_filter($result['runs'], static fn (array $run): bool => $run['start'] === 'aggregate'));
        foreach (xhprof_test_routes($windows, $result['folder']) as $name => $route) {
            echo $route['requests'] === 1 && $route['failed'] === (int) str_ends_with($name, ' fails') ? '' : "$name: $route[failed] of $route[requests]\n";
        }
    }
    $saved = array_filter($result['runs'], static fn (array $run): bool => isset($run['saved_if']));
    echo implode(', ', array_column($saved, 'name')), "\n";
}
?>
--EXPECT--
aggregate: code 255, 02 fails, 05 fails, 06 fails, 07 fails, 08 fails, 14 fails
exact: code 255, 02 fails, 05 fails, 06 fails, 07 fails, 08 fails, 14 fails
