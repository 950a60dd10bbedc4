--TEST--
opcache on, and with preloading: the profile of the scenario is the same
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('opcache'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

echo "opcache on: the profile of the scenario is the same:\n";

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

echo "Preloaded functions and classes: the profile of the scenario is the same:\n";

$folder = xhprof_test_folder();
copy(__DIR__ . '/../scenario_child.inc', "$folder/child.php");
$child = file_get_contents("$folder/child.php");
file_put_contents("$folder/child.php", str_replace(
    ["require __DIR__ . '/lib.inc'", "require __DIR__ . '/scenario.inc'"],
    ['require ' . var_export(__DIR__ . '/../lib.inc', true), 'function_exists(Scenario\profile::class) || print("not preloaded\n")'],
    $child
));
$plain = xhprof_test_child(__DIR__ . '/../scenario_child.inc', ['6']);
echo $plain['code'] === 0 && str_contains($plain['out'], 'Scenario\fib') ? "a profile\n" : $plain['out'] . $plain['err'];
$user = trim((string) shell_exec('id -un'));
foreach (['disable', 'tracing'] as $jit) {
    $ini = ['opcache.enable_cli' => 1, 'opcache.file_update_protection' => 0, 'opcache.preload' => __DIR__ . '/../scenario.inc', 'opcache.preload_user' => $user,
        'opcache.jit' => $jit, 'opcache.jit_buffer_size' => '16M'];
    $child = xhprof_test_child("$folder/child.php", ['6', 'preload'], $ini, ['opcache']);
    if ($child['code'] === 0 && $child['out'] === $plain['out'] && $child['err'] === '') {
        echo "$jit: the same\n";
    } else {
        echo "$jit: {$child['code']}\n", $child['err'],
            implode("\n", array_diff(explode("\n", $child['out']), explode("\n", $plain['out']))), "\n";
    }
}
?>
--EXPECT--
opcache on: the profile of the scenario is the same:
a profile
opcache: the same
unoptimised: the same
protected memory: the same
file cache, cold: the same
file cache, warm: the same
Preloaded functions and classes: the profile of the scenario is the same:
a profile
disable: the same
tracing: the same
