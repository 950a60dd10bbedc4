--TEST--
Tracked requests in a server: none leaves anything to the next one, however it ends
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

$code = "<?php\nrequire " . var_export(__DIR__ . '/../lib.inc', true) . ";\n" . <<<'PHP'
if ($_GET['way'] === 'resident') {
    exit((string) xhprof_test_memory()[0]);
}
function leaf(int $n) { return str_repeat('x', $n); }
function eats() { $all = []; while (true) { $all[] = leaf(10_000); } }
class Keep { public static $all = []; }
ini_set('display_errors', '0');
$state = [memprof_enabled(), xhprof_disable() !== null, xhprof_call_tree() !== null, @xhprof_alloc_mark()];
$usage = memory_get_usage();
($_GET['by'] ?? '') === 'memprof' ? memprof_enable() : xhprof_enable(XHPROF_FLAGS_ALLOC);
Keep::$all[] = leaf(5000);
$stream = fopen('php://memory', 'w+');
xhprof_alloc_dump($stream, 'json', ['types' => false]);
rewind($stream);
$dump = json_decode(stream_get_contents($stream), true);
$names = array_map(fn (int $node): string => $dump['tree']['names'][$dump['tree']['fn'][$node] ?? -1] ?? '', $dump['rows']['node']);
$bytes = $dump['rows']['bytes'][array_search('str_repeat', $names, true)];
unset($dump, $names);
echo json_encode([$state, $bytes]);
switch ($_GET['way']) {
    case 'exit':
        exit;
    case 'limit':
        eats();
        // no break
    case 'fatal':
        eval('function leaf() {}');
        // no break
    case 'fiber':
        $fiber = new Fiber(function () { $kept = leaf(9000); Fiber::suspend(); });
        $fiber->start();
        break;
    case 'late':
        register_shutdown_function(function () { xhprof_disable(); memprof_enabled() && memprof_disable(); memprof_enable(); leaf(100); });
        break;
    case 'callback':
        ob_start(function ($s) { xhprof_enable(XHPROF_FLAGS_ALLOC); leaf(100); return $s; });
        break;
    case 'stop':
        xhprof_disable();
        memprof_enabled() && memprof_disable();
        break;
    case 'dump':
        $GLOBALS['at_end'] = new class () {
            public function __destruct() { xhprof_alloc_dump(fopen('/dev/null', 'w')); }
        };
        break;
}
PHP;
$server = new XhprofTestServer($code, ['start_with_request' => 'no'], ['memory_limit' => '16M']);
$resident = static fn (): int => (int) $server->request('/?way=resident')['body'];
$answers = [];
$before = 0;
for ($round = 0; $round < 12; $round++) {
    foreach (['return', 'exit', 'limit', 'fatal', 'fiber', 'late', 'callback', 'stop', 'dump'] as $way) {
        foreach (['memprof', 'profile'] as $by) {
            $answer = $server->request("/?way=$way&by=$by")['body'];
            $answers[$answer][] = "$way by $by";
        }
    }
    $round === 3 && $before = $resident();
}
foreach ($answers as $answer => $ways) {
    echo $answer, count($answers) > 1 ? ' ' . json_encode(array_unique($ways)) : ' every time', "\n";
}
xhprof_test_between('growth', $resident() - $before, -1 << 40, 8 << 20);
echo $server->isRunning() ? "still serving\n" : "the server died\n";
$server->stop();
?>
--EXPECT--
[[false,false,false,false],8192] every time
growth: ok
still serving
