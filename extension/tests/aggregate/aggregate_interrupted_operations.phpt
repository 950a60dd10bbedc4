--TEST--
xhprof.save_if counts the operations of a whole request, whatever profile or span the program begins within it
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('test clock', 'loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';
require __DIR__ . '/../aggregate.inc';

// Each has operations before, within and after it: three times one of each kind.
$interruptions = [
    'plain' => 'OPERATIONS',
    'exact' => 'xhprof_enable(); OPERATIONS xhprof_disable();',
    'exact-cpu' => 'xhprof_enable(XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY | XHPROF_FLAGS_ALLOC); OPERATIONS xhprof_disable();',
    'without-builtins' => 'xhprof_enable(XHPROF_FLAGS_NO_BUILTINS); OPERATIONS xhprof_disable();',
    'exact-open' => 'xhprof_enable(); OPERATIONS',
    'sampled' => 'xhprof_sample_enable(); OPERATIONS xhprof_sample_disable();',
    'sampled-open' => 'xhprof_sample_enable(); OPERATIONS',
    'memprof' => 'memprof_enable(); OPERATIONS memprof_disable();',
    'memprof-open' => 'memprof_enable(); OPERATIONS',
    'span' => 'xhprof_begin_span("part"); OPERATIONS xhprof_end_span();',
    'span-open' => 'xhprof_begin_span("part"); OPERATIONS',
    'profile-in-span' => 'xhprof_begin_span("part"); xhprof_enable(); OPERATIONS xhprof_disable(); xhprof_end_span();',
    'twice' => 'xhprof_enable(); xhprof_disable(); $span = xhprof_span("part"); OPERATIONS $span->end(); memprof_enable(); memprof_disable(); xhprof_enable(); xhprof_disable();',
];
$code = '<?php function operations() { file_get_contents(__FILE__); gc_collect_cycles(); eval("return 1;"); usleep(1); }'
    . ' $path = trim($_SERVER["REQUEST_URI"], "/"); operations();';
foreach ($interruptions as $path => $does) {
    $code .= " if (\$path === '$path') { " . str_replace('OPERATIONS', 'operations();', $does) . ' }';
}
$code .= ' operations();';

/** @return array<string, string> what has saved which page; spans left out */
function saved(string $conditions, array $ini): array
{
    $conditions = str_replace(',', '@1000,', $conditions);
    $clock = xhprof_test_clock();
    $server = new XhprofTestServer($GLOBALS['code'], ['mode' => 'aggregate', 'flush_seconds' => 1, 'save_if' => "\"$conditions@1000, route=GET /later@1000\"", ...$ini], [], $clock);
    foreach ([...array_keys($GLOBALS['interruptions']), 'later'] as $path) {
        $server->request("/$path");
    }
    for ($try = 0; $try < 1000 && preg_grep('~/later~', array_column(xhprof_test_runs($server->folder), 'url')) === []; $try++) {
        usleep(5000);
    }
    $runs = array_filter(xhprof_test_runs($server->folder), static fn (array $run): bool => isset($run['saved_if']) && !isset($run['name']) && $run['url'] !== '/later');
    $server->stop();
    $paths = array_map(static fn (array $run): string => trim($run['url'], '/'), $runs);
    return array_combine($paths, array_column($runs, 'saved_if'));
}

foreach (['auto', 'walk'] as $hooks) {
    // The page itself is compiled too.
    $fewer = array_diff(array_keys($interruptions), array_keys(saved('file=2&gc=2&compile=3&sleep=2', ['hooks' => $hooks])));
    $more = saved('file=3, gc=3, compile=4, sleep=3', ['hooks' => $hooks]);
    echo "$hooks: fewer in ", json_encode(array_values($fewer)), ', more in ', json_encode($more), "\n";
}
?>
--EXPECT--
auto: fewer in [], more in []
walk: fewer in [], more in []
