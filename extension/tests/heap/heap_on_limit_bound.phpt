--TEST--
xhprof.heap_on_limit: max_runs and max_bytes bound its files, the newest stay; the header says whose request it was
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('loopback', "PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

/** Numbers of the requests whose snapshots are there, and what else is. */
function shown(string $folder): string
{
    $requests = $others = [];
    foreach (xhprof_test_list($folder) as $name) {
        if (preg_match('/^limit-\d+-[0-9a-f]{32}%\.jsonl$/', $name) === 1) {
            $requests[] = (int) substr(header_of("$folder/$name")['url'], -1);
        } else {
            $others[] = $name;
        }
    }
    sort($requests);
    return implode(' ', $requests) . ($others ? '; ' . implode(' ', $others) : '');
}

function header_of(string $file): array { return json_decode((string) fgets(fopen($file, 'r')), true); }

/** Requests that reach memory_limit, a second apart by what their files say. */
function requests(string $folder, int $count, array $ini): void
{
    $server = new XhprofTestServer(
        '<?php $_SERVER["REQUEST_URI"] = "/changed"; $all = []; while (true) { $all[] = str_repeat("x", 10_000); }',
        $ini + ['start_with_request' => 'no'],
        ['memory_limit' => '8M', 'xhprof.heap_on_limit' => "$folder/limit-%p-%u%%.jsonl", 'display_errors' => 0]
    );
    for ($i = 1; $i <= $count; $i++) {
        $before = glob("$folder/*");
        $server->request("/orders/4711?token=hush&i=$i");
        foreach (array_diff(glob("$folder/*"), $before) as $new) {
            touch($new, time() - 1000 + $i);
        }
    }
    $server->stop();
}

$others = [
    'limit-1-0123456789abcdef0123456789abcdef%.txt',
    'limit-x-0123456789abcdef0123456789abcdef%.jsonl',
    'limit-1-0123456789ABCDEF0123456789abcdef%.jsonl',
    'limit-1-0123456789abcdef0123456789abcdef.jsonl',
    'limit--0123456789abcdef0123456789abcdef%.jsonl',
    '.0123456789abcdef0123456789abcde.heap.tmp',
];
$more = [
    'max_runs' => [8, ['max_runs' => 3, 'max_bytes' => 0]],
    'max_bytes' => [3, ['max_runs' => 0, 'max_bytes' => 1]],
    'none, profiled' => [3, ['max_runs' => 0, 'max_bytes' => 0, 'start_with_request' => 'yes']],
];
foreach ($more as $name => [$count, $ini]) {
    $folder = xhprof_test_folder();
    requests($folder, $count, $ini);
    echo "$name: ", shown($folder), "\n";
    $header = header_of(glob("$folder/*")[0]);
    $header['url'] = substr($header['url'], 0, -1);
    echo json_encode(array_intersect_key($header, ['method' => 0, 'url' => 0, 'route' => 0]), JSON_UNESCAPED_SLASHES), ' ',
        preg_match('/^127\.0\.0\.1:\d+$/', $header['host']), "\n";
}

// What is no snapshot of this setting stays, however old.
$folder = xhprof_test_folder();
foreach ($others as $name) {
    file_put_contents("$folder/$name", '{"xhprof_heap":1,"url":"0"}');
    touch("$folder/$name", 1);
}
$own = "$folder/limit-1-0123456789abcdef0123456789abcde0%.jsonl";
file_put_contents($own, "The program's\n");
touch($own, 1);
file_put_contents("$folder/.0123456789abcdef0123456789abcdef.heap.tmp", 'what a killed process has left');
touch("$folder/.0123456789abcdef0123456789abcdef.heap.tmp", 1);
$elsewhere = xhprof_test_folder() . '/snapshot';
file_put_contents($elsewhere, '{"xhprof_heap":1,"url":"0"}');
$link = "$folder/limit-1-0123456789abcdef0123456789abcde1%.jsonl";
symlink($elsewhere, $link);
requests($folder, 2, ['max_runs' => 1]);
var_dump(file_get_contents($own), is_link($link), is_file($elsewhere));
echo array_diff($others, xhprof_test_list($folder)) === [] ? 'others stay' : 'others went', "\n";
unlink($own);
unlink($link);
echo count(xhprof_test_list($folder)) - count($others), " snapshot\n";
?>
--EXPECT--
max_runs: 6 7 8
{"method":"GET","url":"/orders/4711?token=REDACTED&i=","route":"GET /orders/{id}"} 1
max_bytes: 3
{"method":"GET","url":"/orders/4711?token=REDACTED&i=","route":"GET /orders/{id}"} 1
none, profiled: 1 2 3
{"method":"GET","url":"/orders/4711?token=REDACTED&i=","route":"GET /orders/{id}"} 1
string(14) "The program's
"
bool(true)
bool(true)
others stay
1 snapshot
