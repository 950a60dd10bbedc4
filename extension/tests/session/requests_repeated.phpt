--TEST--
Several requests in one process, with opcache and JIT too: each has the same profile
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('opcache'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$plain = xhprof_test_child(__DIR__ . '/../scenario_child.inc', ['6']);
$jit = ['opcache.enable_cli' => 1, 'opcache.file_update_protection' => 0, 'opcache.jit_buffer_size' => '16M'];
foreach (
    ['plain' => [], 'opcache' => ['opcache.enable_cli' => 1, 'opcache.file_update_protection' => 0],
        'tracing' => $jit + ['opcache.jit' => 'tracing'], 'function' => $jit + ['opcache.jit' => 'function']] as $label => $ini
) {
    $command = [...xhprof_test_command($ini, $ini === [] ? [] : ['opcache']), '--repeat', '3', __DIR__ . '/../scenario_child.inc', '6'];
    $out = (string) shell_exec(implode(' ', array_map('escapeshellarg', $command)) . ' 2>&1');
    $out = preg_replace('/^(Executing for the first time|Finished execution, repeating)\.\.\.\n/m', "\0", $out);
    $runs = array_values(array_filter(explode("\0", $out)));
    $same = array_filter($runs, static fn (string $run): bool => $run === $plain['out']);
    echo $label, ': ', count($runs), ' runs, ', count($same), " the same\n";
    count($same) === 3 || print(substr($out, -1000));
}
?>
--EXPECT--
plain: 3 runs, 3 the same
opcache: 3 runs, 3 the same
tracing: 3 runs, 3 the same
function: 3 runs, 3 the same
