--TEST--
Runs of a server: metadata of requests, without secrets
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

echo "Sessions in a server that serves many requests: metadata of the request, and no session outlives its request:\n";

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

echo "URLs, command lines and routes of saved runs have no secrets: every case of redaction.tsv:\n";

$cases = ['url' => [], 'argv' => [], 'route' => []];
foreach (file(__DIR__ . '/../redaction.tsv', FILE_IGNORE_NEW_LINES) as $line) {
    [$kind, $input, $expected] = explode("\t", $line);
    $cases[$kind][] = [$input, $expected];
}
$same = static function (string $kind, string $input, string $expected, ?string $got): void {
    echo $got === $expected ? '' : "$kind $input\n  expected $expected\n  got      " . ($got ?? 'none') . "\n";
};
$save = "<?php\nrequire " . var_export(dirname(__DIR__) . '/run_files.inc', true) . ";\n" . <<<'PHP'
function saved(string $member): string
{
    xhprof_enable();
    xhprof_disable();
    $id = xhprof_save();
    $run = xhprof_test_run_part(ini_get('xhprof.output_dir'), "$id.xhprof", 'meta');
    return $run[$member];
}
PHP;
$trigger = ['trigger_value' => 'open-sesame'];

// What the program says the URL is.
$code = $save . '
    $answers = [];
    foreach (json_decode($_POST["urls"]) as $url) {
        $_SERVER["REQUEST_URI"] = $url;
        $answers[] = saved("url");
    }
    echo json_encode($answers);';
$server = new XhprofTestServer($code, $trigger + ['start_with_request' => 'no']);
$urls = array_column($cases['url'], 0);
$answer = $server->request('/', [], 'urls=' . urlencode(json_encode($urls, JSON_THROW_ON_ERROR)));
$server->stop();
$got = json_decode($answer['body'], true) ?? [];
foreach ($cases['url'] as $i => [$input, $expected]) {
    $same('url', $input, $expected, $got[$i] ?? null);
}

$server = new XhprofTestServer('<?php', $trigger);
$seen = [];
foreach ($cases['route'] as $i => [$input, $expected]) {
    $server->request($input);
    $runs = array_column($server->runs($i + 1), null, 'id');
    $same('route', $input, $expected, current(array_diff_key($runs, $seen))['route'] ?? null);
    $seen = $runs;
}
$server->stop();

$folder = xhprof_test_folder();
foreach ($cases['argv'] as [$input, $expected]) {
    $arguments = json_decode($input, true, 512, JSON_THROW_ON_ERROR);
    @mkdir(dirname("$folder/$arguments[0]"), 0777, true);
    file_put_contents("$folder/$arguments[0]", "$save echo saved('command');");
    $settings = ['xhprof.output_dir' => $folder, 'xhprof.trigger_value' => 'open-sesame'];
    $process = proc_open([...xhprof_test_command($settings), ...$arguments], [1 => ['pipe', 'w']], $pipes, $folder);
    $got = stream_get_contents($pipes[1]);
    proc_close($process);
    $same('argv', $input, $expected, $got);
}
echo count($cases['url']) > 80 && count($cases['argv']) > 30 && count($cases['route']) > 5 ? 'done' : 'few cases', "\n";
?>
--EXPECT--
Sessions in a server that serves many requests: metadata of the request, and no session outlives its request:
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
URLs, command lines and routes of saved runs have no secrets: every case of redaction.tsv:
done
