--TEST--
opcache on: the profile of the scenario is the same
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('opcache'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$plain = xhprof_test_child(__DIR__ . '/../scenario_child.inc', ['6']);
$cache = xhprof_test_folder();
$modes = [
    'opcache' => ['opcache', []],
    'unoptimised' => ['opcache', ['opcache.optimization_level' => 0]],
    'protected memory' => ['opcache', ['opcache.protect_memory' => 1]],
    'file cache, cold' => ['', ['opcache.file_cache' => $cache, 'opcache.file_cache_only' => 1]],
    'file cache, warm' => ['', ['opcache.file_cache' => $cache, 'opcache.file_cache_only' => 1]],
];
echo $plain['code'] === 0 && str_contains($plain['out'], 'Scenario\fib') ? "a profile\n" : $plain['out'] . $plain['err'];
foreach ($modes as $label => [$mode, $ini]) {
    $child = xhprof_test_child(__DIR__ . '/../scenario_child.inc', ['6', $mode], ['opcache.enable_cli' => 1, 'opcache.file_update_protection' => 0] + $ini, ['opcache']);
    if ($child['code'] === 0 && $child['out'] === $plain['out'] && $child['err'] === '') {
        echo "$label: the same\n";
    } else {
        echo "$label: {$child['code']}\n", $child['err'],
            implode("\n", array_diff(explode("\n", $child['out']), explode("\n", $plain['out']))), "\n";
    }
}
?>
--EXPECT--
a profile
opcache: the same
unoptimised: the same
protected memory: the same
file cache, cold: the same
file cache, warm: the same
