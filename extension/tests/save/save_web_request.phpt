--TEST--
Sessions in a server that serves many requests: metadata of the request, and no session outlives its request
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

$runs = xhprof_test_folder();
$code = "<?php\nconst RUNS = '$runs';\n" . <<<'PHP'
function leaf() { static $n; $n++; }
function page() { leaf(); leaf(); }
$running = xhprof_disable() !== null;
$tree = xhprof_call_tree() !== null;
xhprof_enable(XHPROF_FLAGS_NO_BUILTINS | XHPROF_FLAGS_MEMORY);
page();
switch ($_GET['way'] ?? '') {
    case 'abandon':
        echo json_encode([$running, $tree]);
        break;
    case 'exit':
        exit(json_encode([$running, $tree]));
    case 'fatal':
        echo json_encode([$running, $tree]);
        ini_set('display_errors', '0');
        eval('function leaf() {}');
        break;
    default:
        $edges = xhprof_disable();
        $cts = array_map(fn ($v) => $v['ct'], $edges);
        ksort($cts);
        ini_set('xhprof.output_dir', RUNS);
        echo json_encode([$running, $tree, $cts, xhprof_save()]);
}
PHP;
$server = new XhprofTestServer($code, ['start_with_request' => 'no']);
foreach (['', 'abandon', '', 'exit', '', 'fatal', 'abandon', '', ''] as $i => $way) {
    $body = $server->request("/path%20x?way=$way&i=$i")['body'];
    $answer = json_decode($body, true);
    echo $way, ': ', json_encode(array_slice($answer ?? [$body], 0, 3)), "\n";
    if (isset($answer[3])) {
        $meta = xhprof_test_run_part($runs, "$answer[3].xhprof", 'meta');
        echo json_encode([$meta['sapi'], $meta['url'], $meta['method'] ?? null, isset($meta['command'])]), "\n";
    }
}
$answer = json_decode($server->request('/', post: 'a=b')['body'], true);
$meta = xhprof_test_run_part($runs, "$answer[3].xhprof", 'meta');
echo json_encode([$meta['url'], $meta['method']], JSON_UNESCAPED_SLASHES), "\n";
echo $server->isRunning() ? "still serving\n" : "the server died\n";
$server->stop();
?>
--EXPECT--
: [false,false,{"main()":1,"main()==>page":1,"page==>leaf":2}]
["cli-server","\/path%20x?way=&i=0","GET",false]
abandon: [false,false]
: [false,false,{"main()":1,"main()==>page":1,"page==>leaf":2}]
["cli-server","\/path%20x?way=&i=2","GET",false]
exit: [false,false]
: [false,false,{"main()":1,"main()==>page":1,"page==>leaf":2}]
["cli-server","\/path%20x?way=&i=4","GET",false]
fatal: [false,false]
abandon: [false,false]
: [false,false,{"main()":1,"main()==>page":1,"page==>leaf":2}]
["cli-server","\/path%20x?way=&i=7","GET",false]
: [false,false,{"main()":1,"main()==>page":1,"page==>leaf":2}]
["cli-server","\/path%20x?way=&i=8","GET",false]
["/","POST"]
still serving
