--TEST--
Sampling and the JIT: programs stay right; where the engine would lose their variables nothing is sampled
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('opcache', 'JIT'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function arithmetic(int $n): int
{
    $x = 0;
    for ($i = 0; $i < $n; $i++) {
        $x ^= $i;
        $x += 3;
    }
    return $x;
}

function nested(int $n): float
{
    $sum = 0.0;
    for ($i = 0; $i < $n; $i++) {
        for ($j = 0; $j < 100; $j++) {
            $sum += $i * $j;
        }
    }
    return $sum;
}

if (isset($argv[1])) {
    set_error_handler(static function (int $level, string $message): bool {
        echo strtok($message, ':'), ': ', str_contains($message, "JIT loses variables") ? 'refused' : $message, ', ';
        return true;
    });
    // The engine compiles hot functions with the first calls, and 8.2's JIT for aarch64 gets them wrong, without us too.
    [arithmetic(3_000_000), nested(30_000)];
    $wanted = [115_011_712, 30_000 * 29_999 / 2 * 4950.0];
    $wrong = 0;
    $counts = [];
    for ($try = 0; $try < 20; $try++) { // on a busy machine the timer's thread may not run for as long as one
        xhprof_sample_enable(['interval' => 100, 'lines' => true]);
        for ($i = 0; $i < 10; $i++) {
            $wrong += [arithmetic(3_000_000), nested(30_000)] !== $wanted;
        }
        $samples = xhprof_sample_disable();
        foreach ($samples ?? [] as $path) {
            $path = preg_replace('/:\d+$/', '', $path);
            $counts[$path] = ($counts[$path] ?? 0) + 1;
        }
        $enough = min($counts['main()==>arithmetic'] ?? 0, $counts['main()==>nested'] ?? 0) > 10;
        if ($samples === null || $enough) {
            break;
        }
    }
    echo $samples === null ? 'none' : ($enough ? 'samples' : json_encode($counts)), ", $wrong wrong\n";
    exit(0);
}
foreach (['disable', 'off', 'tracing', '1255', 'function', '1205', '1235'] as $jit) {
    $ini = ['opcache.enable_cli' => 1, 'opcache.file_update_protection' => 0, 'opcache.jit_buffer_size' => '16M', 'opcache.jit' => $jit];
    $child = xhprof_test_child(__FILE__, ['child'], $ini, ['opcache']);
    // Which releases can be sampled with a tracing JIT, engine_faults_test.c tests.
    $depends = $jit === 'tracing' || $jit === '1255';
    $refused = $depends && xhprof_test_sampling_refusal($ini, ['opcache']) !== null;
    if ($depends && $child['out'] === ($refused ? "xhprof_sample_enable(): refused, none, 0 wrong\n" : "samples, 0 wrong\n")) {
        $child['out'] = "as phpinfo() says\n";
    }
    echo "$jit: ";
    xhprof_test_show($child);
}
// A setting of now says nothing about code that has been compiled.
echo 'function, then off: ';
$ini = ['opcache.enable_cli' => 1, 'opcache.file_update_protection' => 0, 'opcache.jit_buffer_size' => '16M', 'opcache.jit' => 'function'];
$command = [...xhprof_test_command($ini, ['opcache']), '-r', 'ini_set("opcache.jit", "off"); xhprof_sample_enable(); echo json_encode(xhprof_sample_disable());'];
echo str_contains((string) shell_exec(implode(' ', array_map('escapeshellarg', $command)) . ' 2>&1'), 'JIT loses variables') ? 'refused' : 'sampled', "\n";
?>
--EXPECT--
disable: samples, 0 wrong
off: samples, 0 wrong
tracing: as phpinfo() says
1255: as phpinfo() says
function: xhprof_sample_enable(): refused, none, 0 wrong
1205: xhprof_sample_enable(): refused, none, 0 wrong
1235: xhprof_sample_enable(): refused, none, 0 wrong
function, then off: refused
