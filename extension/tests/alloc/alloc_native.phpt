--TEST--
Native memory by its callers, with libxhprof_malloc.so preloaded; a warning without
--SKIPIF--
<?php
require __DIR__ . '/../lib.inc';
if (!is_file(dirname(xhprof_test_library()) . '/libxhprof_malloc.so')) {
    die('skip needs libxhprof_malloc.so beside xhprof.so');
}
if (!xhprof_test_available('dom') || !xhprof_test_available('sqlite3')) {
    die('skip needs DOM and SQLite');
}
?>
--FILE--
<?php
require __DIR__ . '/../run_files.inc';
require __DIR__ . '/../alloc.inc';

function parse(int $n): DOMDocument
{
    $dom = new DOMDocument();
    $dom->loadXML('<r>' . str_repeat('<a b="c">text</a>', $n) . '</r>');
    return $dom;
}

function database(): SQLite3
{
    $db = new SQLite3(':memory:');
    $db->exec('create table t(x)');
    for ($i = 0; $i < 200; $i++) {
        $db->exec("insert into t values('" . str_repeat('x', 1000) . "')");
    }
    return $db;
}

/** @return array<string, int> path => bytes of native memory */
function native(): array
{
    $live = xhprof_test_live(xhprof_test_dump(['allocator' => 'malloc']));
    return array_map(static fn (array $figures): int => $figures[0], $live);
}

function of(array $native, string $function): int
{
    return array_sum(array_filter($native, static fn (string $path): bool => str_contains($path, $function), ARRAY_FILTER_USE_KEY));
}

if (isset($argv[1])) {
    error_reporting(E_ALL);
    if ($argv[1] === 'memprof') {
        echo json_encode(memprof_enabled_flags()), "\n";
    } else {
        xhprof_enable(XHPROF_FLAGS_ALLOC, ['native' => $argv[1] === 'native']);
    }
    $dom = parse(2000);
    $native = native();
    if ($argv[2] ?? '') {
        echo 'tracked: ', json_encode($native), "\n";
        $argv[1] === 'memprof' || xhprof_disable();
        exit(0);
    }
    xhprof_test_between('parse()', of($native, 'parse'), 200_000, 10_000_000);
    $db = database();
    $native = native();
    xhprof_test_between('database()', of($native, 'database'), 200_000, 10_000_000);
    $seen = [];
    foreach (xhprof_test_held(xhprof_test_dump(['allocator' => 'malloc'])) as ['types' => $types]) {
        $seen += $types;
    }
    echo 'types: ', implode(' ', array_keys($seen)), "\n";
    $dom = $db = null;
    gc_collect_cycles();
    $native = native();
    xhprof_test_between('freed parse()', of($native, 'parse'), 0, 50_000);
    xhprof_test_between('freed database()', of($native, 'database'), 0, 100_000);
    if ($argv[1] === 'native') {
        $dom = parse(100);
        xhprof_disable();
        $folder = xhprof_test_folder();
        ini_set('xhprof.output_dir', $folder);
        $id = xhprof_save();
        $memory = xhprof_test_run_part($folder, "$id.xhprof", 'memory');
        $malloc = 0;
        foreach ($memory['rows']['type'] as $i => $type) {
            $malloc += $type === 1 && $memory['rows']['node'][$i] !== -1 ? $memory['rows']['bytes'][$i] : 0;
        }
        $sums = $memory['allocators']['malloc'];
        echo 'saved: ', $malloc === $sums['allocated_bytes'] - $sums['freed_bytes'] ? 'sums agree' : "$malloc " . json_encode($sums), ', ',
            $memory['types'][1], "\n";
    }
    exit(0);
}
$library = dirname(xhprof_test_library()) . '/libxhprof_malloc.so';
$env = array_diff_key(getenv(), ['MEMPROF_PROFILE' => 0]);
$run = static function (array $args, array $more) use ($env): void {
    $child = xhprof_test_child(__FILE__, $args, [], ['dom', 'sqlite3'], null, $more + $env);
    xhprof_test_show(['err' => preg_replace('/^libxhprof_malloc: .*\z/ms', '', $child['err'])] + $child);
};
echo "-- preloaded\n";
$run(['native'], ['LD_PRELOAD' => $library]);
echo "-- preloaded, MEMPROF_PROFILE=native\n";
$run(['memprof'], ['LD_PRELOAD' => $library, 'MEMPROF_PROFILE' => 'native']);
echo "-- preloaded, not asked for\n";
$run(['exact', 'none'], ['LD_PRELOAD' => $library]);
echo "-- not preloaded\n";
$run(['native', 'none'], []);
$run(['memprof', 'none'], ['MEMPROF_PROFILE' => 'native']);
echo "-- wrong\n";
foreach ([1, 'yes', null, []] as $value) {
    xhprof_test_throws(static fn () => xhprof_enable(XHPROF_FLAGS_ALLOC, ['native' => $value]));
}
?>
--EXPECTF--
-- preloaded
parse(): ok
database(): ok
types: malloc
freed parse(): ok
freed database(): ok
saved: sums agree, malloc
-- preloaded, MEMPROF_PROFILE=native
{"enabled":true,"native":true,"dump_on_limit":false}
parse(): ok
database(): ok
types: malloc
freed parse(): ok
freed database(): ok
-- preloaded, not asked for
tracked: []
-- not preloaded

Warning: xhprof_enable(): Native memory is not tracked: start PHP with LD_PRELOAD=libxhprof_malloc.so in %salloc_native.php on line 39
tracked: []

Warning: memprof_enable(): Native memory is not tracked: start PHP with LD_PRELOAD=libxhprof_malloc.so in Unknown on line 0
{"enabled":true,"native":false,"dump_on_limit":false}
tracked: []
-- wrong
TypeError: xhprof_enable(): Option "native" must be of type bool, int given
TypeError: xhprof_enable(): Option "native" must be of type bool, string given
TypeError: xhprof_enable(): Option "native" must be of type bool, null given
TypeError: xhprof_enable(): Option "native" must be of type bool, array given
