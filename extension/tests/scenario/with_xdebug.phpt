--TEST--
Xdebug loaded, in every mode: the profile of the scenario is the same
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('+xdebug'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$folder = xhprof_test_folder();
$plain = xhprof_test_child(__DIR__ . '/../scenario_child.inc', ['6']);
echo $plain['code'] === 0 && str_contains($plain['out'], 'Scenario\fib') ? "a profile\n" : $plain['out'] . $plain['err'];
foreach (['off', 'develop', 'coverage', 'profile', 'trace', 'gcstats', 'debug', 'develop,coverage,trace'] as $mode) {
    $ini = ['xdebug.mode' => $mode, 'xdebug.output_dir' => $folder, 'xdebug.start_with_request' => 'yes',
        'xdebug.log_level' => 0, 'xdebug.client_port' => 9, 'xdebug.max_nesting_level' => 10000];
    $child = xhprof_test_child(__DIR__ . '/../scenario_child.inc', ['6', 'xdebug'], $ini, ['xdebug']);
    if ($child['code'] === 0 && $child['out'] === $plain['out']) {
        echo "$mode: the same\n";
    } else {
        echo "$mode: {$child['code']}\n", $child['err'],
            implode("\n", array_diff(explode("\n", $child['out']), explode("\n", $plain['out']))), "\n";
    }
}
?>
--EXPECT--
a profile
off: the same
develop: the same
coverage: the same
profile: the same
trace: the same
gcstats: the same
debug: the same
develop,coverage,trace: the same
