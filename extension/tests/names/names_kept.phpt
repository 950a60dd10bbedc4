--TEST--
Names that a process keeps from one profile to the next: none is another function's, with opcache, after its restarts, without it
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('opcache'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$opcache = ['opcache.enable_cli' => 1, 'opcache.file_update_protection' => 0, 'opcache.revalidate_freq' => 0];
foreach (
    ['without opcache' => [[], ''], 'with it' => [$opcache, ''], 'with restarts' => [$opcache, 'reset'],
        'nothing kept' => [$opcache + ['xhprof.keep_memory' => 0], 'reset'], 'little kept' => [$opcache + ['xhprof.keep_memory' => '2M'], '']]
    as $label => [$ini, $reset]
) {
    $folder = sys_get_temp_dir() . '/xhprof-names-' . bin2hex(random_bytes(6));
    mkdir($folder);
    $command = [...xhprof_test_command($ini, $ini === [] ? [] : ['opcache']), '--repeat', '7', __DIR__ . '/names_kept.inc', $folder, $reset];
    $out = (string) shell_exec(implode(' ', array_map('escapeshellarg', $command)) . ' 2>&1');
    $right = preg_match_all('/^round \d+: 85 called, all right$/m', $out);
    echo "$label: $right rounds are right\n";
    $right === 7 && !str_contains($out, 'no restart') || print($out);
    array_map(unlink(...), glob("$folder/*"));
    rmdir($folder);
}
?>
--EXPECT--
without opcache: 7 rounds are right
with it: 7 rounds are right
with restarts: 7 rounds are right
nothing kept: 7 rounds are right
little kept: 7 rounds are right
