--TEST--
Sessions in a server that serves many requests: metadata of the request, and no session outlives its request
--SKIPIF--
<?php
if (!function_exists('proc_open') || !@stream_socket_server('tcp://127.0.0.1:0')) {
    die('skip needs a loopback socket');
}
?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

$folder = xhprof_test_folder();
$runs = xhprof_test_folder();
file_put_contents("$folder/index.php", <<<'PHP'
<?php
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
PHP);
file_put_contents("$folder/router.php", "<?php const RUNS = '$runs'; require __DIR__ . '/index.php';");

// A free port: bound once, and given up for the server.
$socket = stream_socket_server('tcp://127.0.0.1:0');
$address = stream_socket_get_name($socket, false);
fclose($socket);
$command = [...xhprof_test_command(['log_errors' => 0]), '-S', $address, "$folder/router.php"];
$server = proc_open($command, [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w']], $pipes, $folder);
for ($i = 0; $i < 200 && !($connection = @fsockopen('tcp://' . $address)); $i++) {
    usleep(50_000);
}
$context = stream_context_create(['http' => ['ignore_errors' => true, 'timeout' => 20]]);
foreach (['', 'abandon', '', 'exit', '', 'fatal', 'abandon', '', ''] as $i => $way) {
    $body = (string) @file_get_contents("http://$address/path%20x?way=$way&i=$i", false, $context);
    $answer = json_decode($body, true);
    echo $way, ': ', json_encode(array_slice($answer ?? [$body], 0, 3)), "\n";
    if (isset($answer[3])) {
        $meta = json_decode(file_get_contents("$runs/$answer[3].xhprof.meta.json"), true);
        echo json_encode([$meta['sapi'], $meta['url'], $meta['method'] ?? null, isset($meta['command'])]), "\n";
    }
}
$post = stream_context_create(['http' => ['method' => 'POST', 'content' => 'a=b', 'timeout' => 20]]);
$answer = json_decode((string) @file_get_contents("http://$address/", false, $post), true);
$meta = json_decode(file_get_contents("$runs/$answer[3].xhprof.meta.json"), true);
echo json_encode([$meta['url'], $meta['method']], JSON_UNESCAPED_SLASHES), "\n";
echo proc_get_status($server)['running'] ? "still serving\n" : "the server died\n";
proc_terminate($server);
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
