--TEST--
Where samples are refused, all ways to take them say the same reason; a window counts requests all the same, without samples
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'opcache'); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

// Of some versions of PHP this JIT must not be interrupted; the others take samples.
$jit = ['opcache.enable_cli' => 1, 'opcache.jit' => 'function', 'opcache.jit_buffer_size' => '16M', 'log_errors' => 1, 'display_errors' => 0];
$said = [];
foreach (['sample', 'aggregate', 'api'] as $mode) {
    $log = xhprof_test_folder() . '/log';
    $result = xhprof_test_aggregate(
        $mode === 'api' ? 'xhprof_sample_enable();' : 'work(5);',
        $mode === 'api' ? ['start_with_request' => 'no', 'mode' => 'exact'] : ['mode' => $mode],
        $jit + ['error_log' => $log],
        ['opcache'],
    );
    $text = (string) @file_get_contents($log);
    $said[$mode] = preg_match('/(?:no profile|cannot be sampled|xhprof_sample_enable\(\)): (.*?)(?: in \S+ on line \d+)?$/m', $text, $match) === 1 ? $match[1] : null;
    $text === '' || $said[$mode] !== null || print("$mode: $text");
    if ($mode === 'aggregate') {
        $route = current(xhprof_test_routes($result['runs'], $result['folder']));
        $refused = $said[$mode] !== null;
        echo $route['requests'], ' ', $refused === ($route['samples'] === 0) ? 'ok' : 'samples', ' ', $refused === ($route['unsampled'] === 1) ? 'ok' : 'unsampled', "\n";
    }
}
echo count(array_unique($said)) === 1 ? 'one reason' : json_encode($said), "\n";
?>
--EXPECT--
1 ok ok
one reason
