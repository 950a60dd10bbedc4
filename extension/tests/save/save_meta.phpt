--TEST--
xhprof_save(): the metadata says where, when and how
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

function f(): void { usleep(20_000); $s = str_repeat('x', 8 << 20); }

if (isset($argv[1])) {
    ini_set('xhprof.output_dir', $argv[1]);
    $start = microtime(true);
    xhprof_enable(XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY | XHPROF_FLAGS_NO_BUILTINS);
    f();
    f();
    $edges = xhprof_disable();
    $whole = (microtime(true) - $start) * 1e6;
    $id = xhprof_save('app', ['user' => 'ann', 'tags' => ['a', 'b'], 'n' => 5, 'f' => 1.5, 'none' => null, 'yes' => true,
        'deep' => ['er' => ['est' => "caf\u{e9} \"<&>\\/\u{2028}"]]]);
    $m = xhprof_test_run_part($argv[1], "$id.app", 'meta');
    $tree = xhprof_call_tree();
    $checks = [
        'v' => $m['v'] === 1,
        'id' => $m['id'] === $id,
        'source' => $m['source'] === 'app',
        'ts' => is_float($m['ts']) && $m['ts'] >= $start - 0.1 && $m['ts'] <= microtime(true),
        'duration_us' => is_int($m['duration_us']) && $m['duration_us'] >= $edges['main()']['wt'] - 1000 && $m['duration_us'] <= $whole + 1000,
        'elapsed_us' => is_int($m['elapsed_us']) && $m['elapsed_us'] >= $m['duration_us'] && $m['elapsed_us'] <= $whole + 1000,
        'sapi' => $m['sapi'] === PHP_SAPI,
        'command' => str_contains($m['command'], 'save_meta') && str_contains($m['command'], 'two words'),
        'url' => !isset($m['url']),
        'host' => $m['host'] === gethostname(),
        'php' => $m['php'] === PHP_VERSION,
        'zts' => $m['zts'] === (bool) PHP_ZTS,
        'version' => $m['version'] === phpversion('xhprof'),
        'pid' => $m['pid'] === getmypid(),
        'peak_memory' => is_int($m['peak_memory']) && $m['peak_memory'] >= 8 << 20 && $m['peak_memory'] <= memory_get_peak_usage(true),
        'calls' => in_array($m['calls'], [2, 3], true),
        'functions' => in_array($m['functions'], [1, 2], true),
        'nodes' => $m['nodes'] === count($tree['fn']),
        'nodes_dropped' => $m['nodes_dropped'] === 0,
        'flags' => $m['flags'] === 7,
        'flag_names' => $m['flag_names'] === ['NO_BUILTINS', 'CPU', 'MEMORY'],
        'clock' => is_string($m['clock']['wall']) && $m['clock']['wall'] !== '' && is_string($m['clock']['cpu']),
        'totals' => $m['totals'] === array_diff_key($edges['main()'], ['ct' => 1]),
    ];
    foreach ($checks as $key => $ok) {
        echo $key, $ok ? ' ok' : ' ' . json_encode($m[$key] ?? null), "\n";
    }
    echo json_encode($m['meta']), "\n";
    exit(0);
}
xhprof_test_show(xhprof_test_child(__FILE__, [xhprof_test_folder(), 'two words']));
?>
--EXPECT--
v ok
id ok
source ok
ts ok
duration_us ok
elapsed_us ok
sapi ok
command ok
url ok
host ok
php ok
zts ok
version ok
pid ok
peak_memory ok
calls ok
functions ok
nodes ok
nodes_dropped ok
flags ok
flag_names ok
clock ok
totals ok
{"user":"ann","tags":["a","b"],"n":5,"f":1.5,"none":null,"yes":true,"deep":{"er":{"est":"caf\u00e9 \"<&>\\\/\u2028"}}}
