--TEST--
JIT on: it stays on, and the profile of the scenario is the same
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('opcache', 'JIT'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$plain = xhprof_test_child(__DIR__ . '/../scenario_child.inc', ['6']);
echo $plain['code'] === 0 && str_contains($plain['out'], 'Scenario\fib') ? "a profile\n" : $plain['out'] . $plain['err'];
$hot = ['opcache.jit_hot_loop' => 1, 'opcache.jit_hot_func' => 1, 'opcache.jit_hot_return' => 1, 'opcache.jit_hot_side_exit' => 1];
foreach (
    ['tracing' => [], 'tracing, hot at once' => $hot, 'function' => [], '1205' => [], '1255' => []] as $jit => $more
) {
    $ini = ['opcache.enable_cli' => 1, 'opcache.file_update_protection' => 0, 'opcache.jit_buffer_size' => '32M', 'opcache.jit' => strtok((string) $jit, ',')] + $more;
    $child = xhprof_test_child(__DIR__ . '/../scenario_child.inc', ['6', 'jit'], $ini, ['opcache']);
    if ($child['code'] === 0 && $child['out'] === $plain['out'] && $child['err'] === '') {
        echo "$jit: the same\n";
    } else {
        echo "$jit: {$child['code']}\n", $child['err'],
            implode("\n", array_diff(explode("\n", $child['out']), explode("\n", $plain['out']))), "\n";
    }
}
?>
--EXPECT--
a profile
tracing: the same
tracing, hot at once: the same
function: the same
1205: the same
1255: the same
