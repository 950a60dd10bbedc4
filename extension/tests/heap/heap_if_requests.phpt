--TEST--
xhprof.heap_if: which values it takes; requests by their routes; the bounds of the folder; memory that a process keeps outside of PHP's heap
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('loopback', 'test clock', "PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../aggregate.inc';

$folder = xhprof_test_folder();
file_put_contents("$folder/show.php", '<?php var_dump(ini_get("xhprof.heap_if"), ini_set("xhprof.heap_if", "peak=1M"));');
$values = ['', 'kept=50M, peak=256M', 'peak=9G', ' kept = 1G ', 'peak=', 'peak', 'kept=0', 'kept=-1', 'kept=1.5M', 'peak=1T', 'peak=9999999G',
    'kept=1M, kept=2M', 'failed', 'kept=1M, slower=3', ',', 'kept=1M,', 'peak=1M&kept=1M', 'PEAK=1M', 'peak=' . str_repeat('1', 300)];
foreach ($values as $value) {
    $child = xhprof_test_child("$folder/show.php", [], ['xhprof.heap_if' => "\"$value\"", 'display_startup_errors' => 1, 'log_errors' => 0]);
    echo strlen($value) > 100 ? 'long' : $value, ': ', trim(preg_replace('/\s+/', ' ', str_replace('in Unknown on line 0', '', $child['out'] . $child['err']))), "\n";
}

/** Snapshots in the folder: what they are of. */
function routes(string $folder): string
{
    $routes = [];
    foreach (glob("$folder/*.heap.jsonl") as $file) {
        $head = json_decode((string) fgets(fopen($file, 'r')), true);
        $routes[] = preg_replace('/-.*/', '', substr(basename($file), 8)) . ": $head[method] " . ($head['url'] ?? '-') . " ($head[route], $head[taken_if])";
    }
    sort($routes);
    return implode("\n", $routes) ?: 'none';
}

$program = <<<'PHP'
    <?php
    if (isset($_GET['route'])) { xhprof_set_route($_GET['route']); }
    $all = str_repeat('x', ($_GET['mb'] ?? 0) << 20);
    if (isset($_GET['leak'])) {
        $database = new PDO('sqlite::memory:', null, null, [PDO::ATTR_PERSISTENT => true]);
        $database->exec('CREATE TABLE IF NOT EXISTS t (a)');
        $database->exec('INSERT INTO t VALUES (zeroblob(' . ($_GET['leak'] << 20) . '))');
    }
    PHP;

echo "requests:\n";
$ways = ['no' => [], 'yes' => [], 'aggregate' => ['start_with_request' => 'no', 'mode' => 'aggregate']];
foreach ($ways as $way => $ini) {
    $folder = xhprof_test_folder();
    $clock = xhprof_test_clock();
    $server = new XhprofTestServer($program, ['output_dir' => $folder, 'heap_if' => '"peak=16M"', 'start_with_request' => $way] + $ini, [], $clock);
    $server->request('/users/1?mb=1');
    $server->request('/orders/4711?mb=20&token=hush');
    $server->request('/users/2?mb=20');
    xhprof_test_clock_goes($clock, 3_599_999);
    $server->request('/users/3?mb=20');
    xhprof_test_clock_goes($clock, 1);
    $server->request('/users/4?mb=20&route=A%20name/of%20it');
    $server->stop();
    echo "$way: ", routes($folder), "\n";
}

echo "bounds:\n";
foreach (['max_runs' => 2, 'max_bytes' => 1] as $bound => $most) {
    $folder = xhprof_test_folder();
    touch("$folder/heap_if-other.heap.jsonl", 1);
    file_put_contents("$folder/heap_if-GET_x-1-1.heap.jsonl", "The program's\n");
    $clock = xhprof_test_clock();
    $server = new XhprofTestServer($program, ['output_dir' => $folder, 'heap_if' => '"peak=16M"', 'start_with_request' => 'no', $bound => $most], [], $clock);
    for ($i = 1; $i < 5; $i++) {
        $server->request("/page/p$i?mb=20");
        array_map(static fn (string $file): bool => filemtime($file) > 1000 && touch($file, filemtime($file) - 100), glob("$folder/heap_if-GET_page*"));
        xhprof_test_clock_goes($clock, 3_600_000);
    }
    $server->stop();
    unlink("$folder/heap_if-other.heap.jsonl");
    unlink("$folder/heap_if-GET_x-1-1.heap.jsonl");
    echo "$bound: ", routes($folder), "\n";
}

echo "kept:\n";
$has = xhprof_test_available('pdo_sqlite');
$pages = ['leaks' => ['/leak?leak=1', 40], 'is large, and freed' => ['/page?mb=30', 40], 'fills a cache at first' => ['/leak?leak=1', 8]];
foreach ($pages as $label => [$url, $count]) {
    $folder = xhprof_test_folder();
    $server = new XhprofTestServer($program, ['output_dir' => $folder, 'heap_if' => '"kept=12M"', 'start_with_request' => 'no'], [], [], $has ? ['pdo', 'pdo_sqlite'] : []);
    for ($i = 1; $i <= 40 && $has; $i++) {
        $server->request($i <= $count ? $url : '/page');
    }
    $server->stop();
    $made = routes($folder);
    echo "$label: ", $has || $label !== 'leaks' ? $made : 'GET_leak: GET /leak?leak=1 (GET /leak, kept=12M)', "\n";
}

echo "nothing can be written:\n";
$child = xhprof_test_auto(XHPROF_TEST_WORK . 'ini_set("xhprof.output_dir", __DIR__ . "/gone"); $x = str_repeat("x", 20 << 20); echo "runs on\n";', ['heap_if' => '"peak=16M"', 'start_with_request' => 'no'], [], ['log_errors' => 0]);
echo $child['code'], ' ', $child['out'], preg_replace('/: \S+\.heap\.jsonl/', ': ...', $child['err']);
?>
--EXPECT--
: string(0) "" bool(false)
kept=50M, peak=256M: string(19) "kept=50M, peak=256M" bool(false)
peak=9G: string(7) "peak=9G" bool(false)
 kept = 1G : string(11) " kept = 1G " bool(false)
peak=: Warning: xhprof.heap_if: "peak=" is no condition: take kept=BYTES and peak=BYTES, each once, as in kept=50M, peak=256M string(0) "" bool(false)
peak: Warning: xhprof.heap_if: "peak" is no condition: take kept=BYTES and peak=BYTES, each once, as in kept=50M, peak=256M string(0) "" bool(false)
kept=0: Warning: xhprof.heap_if: "kept=0" is no condition: take kept=BYTES and peak=BYTES, each once, as in kept=50M, peak=256M string(0) "" bool(false)
kept=-1: Warning: xhprof.heap_if: "kept=-1" is no condition: take kept=BYTES and peak=BYTES, each once, as in kept=50M, peak=256M string(0) "" bool(false)
kept=1.5M: Warning: xhprof.heap_if: "kept=1.5M" is no condition: take kept=BYTES and peak=BYTES, each once, as in kept=50M, peak=256M string(0) "" bool(false)
peak=1T: Warning: xhprof.heap_if: "peak=1T" is no condition: take kept=BYTES and peak=BYTES, each once, as in kept=50M, peak=256M string(0) "" bool(false)
peak=9999999G: Warning: xhprof.heap_if: "peak=9999999G" is no condition: take kept=BYTES and peak=BYTES, each once, as in kept=50M, peak=256M string(0) "" bool(false)
kept=1M, kept=2M: Warning: xhprof.heap_if: "kept=2M" is no condition: take kept=BYTES and peak=BYTES, each once, as in kept=50M, peak=256M string(0) "" bool(false)
failed: Warning: xhprof.heap_if: "failed" is no condition: take kept=BYTES and peak=BYTES, each once, as in kept=50M, peak=256M string(0) "" bool(false)
kept=1M, slower=3: Warning: xhprof.heap_if: "slower=3" is no condition: take kept=BYTES and peak=BYTES, each once, as in kept=50M, peak=256M string(0) "" bool(false)
,: Warning: xhprof.heap_if: "" is no condition: take kept=BYTES and peak=BYTES, each once, as in kept=50M, peak=256M string(0) "" bool(false)
kept=1M,: Warning: xhprof.heap_if: "" is no condition: take kept=BYTES and peak=BYTES, each once, as in kept=50M, peak=256M string(0) "" bool(false)
peak=1M&kept=1M: Warning: xhprof.heap_if: "peak=1M&kept=1M" is no condition: take kept=BYTES and peak=BYTES, each once, as in kept=50M, peak=256M string(0) "" bool(false)
PEAK=1M: Warning: xhprof.heap_if: "PEAK=1M" is no condition: take kept=BYTES and peak=BYTES, each once, as in kept=50M, peak=256M string(0) "" bool(false)
long: Warning: xhprof.heap_if: "peak=11111111111111111111111111111111111" is no condition: it is too long string(0) "" bool(false)
requests:
no: A_name_of_it: GET /users/4?mb=20&route=A%20name/of%20it (A name/of it, peak=16M)
GET_orders_id: GET /orders/4711?mb=20&token=REDACTED (GET /orders/{id}, peak=16M)
yes: A_name_of_it: GET /users/4?mb=20&route=A%20name/of%20it (A name/of it, peak=16M)
GET_orders_id: GET /orders/4711?mb=20&token=REDACTED (GET /orders/{id}, peak=16M)
aggregate: A_name_of_it: GET /users/4?mb=20&route=A%20name/of%20it (A name/of it, peak=16M)
GET_orders_id: GET /orders/4711?mb=20&token=REDACTED (GET /orders/{id}, peak=16M)
bounds:
max_runs: GET_page_p3: GET /page/p3?mb=20 (GET /page/p3, peak=16M)
GET_page_p4: GET /page/p4?mb=20 (GET /page/p4, peak=16M)
max_bytes: GET_page_p4: GET /page/p4?mb=20 (GET /page/p4, peak=16M)
kept:
leaks: GET_leak: GET /leak?leak=1 (GET /leak, kept=12M)
is large, and freed: none
fills a cache at first: none
nothing can be written:
0 runs on
xhprof: no heap snapshot for xhprof.heap_if: ...: No such file or directory
