--TEST--
A request asks for its profile by cookie, GET or POST, with the value of xhprof.trigger_value only; the answer has its id
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

$code = <<<'PHP'
<?php
function page() { return strlen('x'); }
page();
if (isset($_GET['code'])) { http_response_code((int) $_GET['code']); }
if (isset($_GET['header'])) { header('X-Other: 1'); header('X-XHProf-Run: mine', false); }
echo 'body ', json_encode(isset($_SERVER['REQUEST_URI'])), ' ', function_exists('xhprof_disable') ? json_encode(xhprof_disable()) : '';
PHP;
$server = new XhprofTestServer($code, ['start_with_request' => 'trigger', 'trigger_value' => 's3cret']);
$count = 0;
$ask = static function (string $label, string $path, array $headers = [], ?string $post = null) use ($server, &$count): void {
    $answer = $server->request($path, $headers, $post);
    $id = $server->idOf($answer);
    echo "$label: $answer[status] $answer[body], ", $id === null ? 'no id' : 'an id';
    if ($id !== null) {
        $runs = $server->runs(++$count);
        $run = array_values(array_filter($runs, static fn (array $run): bool => $run['id'] === $id))[0] ?? [];
        foreach (['start', 'method', 'url', 'status', 'route'] as $member) {
            echo ' ', $run[$member] ?? '-';
        }
        echo isset($run['edges']['main()==>page']) ? '' : ' without page()', isset($run['command']) ? ' a command' : '';
        echo ($run['host'] ?? '') === parse_url("http://{$run['host']}", PHP_URL_HOST) . ':' . parse_url("http://{$run['host']}", PHP_URL_PORT) ? '' : $run['host'];
    }
    echo "\n";
};
$ask('nothing', '/?a=1');
$ask('GET', '/users/12/edit?XHPROF_TRIGGER=s3cret&b=2&password=abc');
$ask('cookie', '/c', ['Cookie' => 'x=y; XHPROF_TRIGGER=s3cret']);
$ask('POST', '/p', [], 'XHPROF_TRIGGER=s3cret');
$ask('status', '/?code=404', ['Cookie' => 'XHPROF_TRIGGER=s3cret']);
$ask('wrong', '/?XHPROF_TRIGGER=s3creT');
$ask('longer', '/?XHPROF_TRIGGER=s3cret1');
$ask('empty', '/?XHPROF_TRIGGER=');
$ask('one', '/?XHPROF_TRIGGER=1');
$ask('array', '/?XHPROF_TRIGGER[]=s3cret');
$ask('header', '/', ['XHPROF_TRIGGER' => 's3cret']);
$answer = $server->request('/?header=1&XHPROF_TRIGGER=s3cret');
$runs = $server->runs(++$count);
echo 'headers: ', implode(', ', preg_replace('/[0-9a-f]{32}|PHP\/.*/', '*', $answer['headers'])), "\n";
echo count($runs) === $count ? 'every triggered request has one run' : count($runs) . " of $count", "\n";
echo $server->isRunning() ? "still serving\n" : "the server died\n";
$server->stop();

// Without a value nobody from outside may ask.
$server = new XhprofTestServer($code, ['start_with_request' => 'trigger']);
foreach (['/?XHPROF_TRIGGER=', '/?XHPROF_TRIGGER=1', '/?XHPROF_TRIGGER'] as $path) {
    $answer = $server->request($path, ['Cookie' => 'XHPROF_TRIGGER=']);
    echo $answer['body'], ' ', json_encode($server->idOf($answer)), "\n";
}
usleep(100_000);
echo count($server->runs(0)), " runs\n";
$server->stop();

// The environment asks for all; sampled requests have no header.
$server = new XhprofTestServer($code, ['start_with_request' => 'sampled', 'sample_rate' => 1]);
$answer = $server->request('/x');
echo json_encode($server->idOf($answer)), ' ', $server->runs(1)[0]['start'], "\n";
$server->stop();
$server = new XhprofTestServer($code, ['start_with_request' => 'sampled', 'sample_rate' => 0], [], ['XHPROF_TRIGGER' => '1']);
$answer = $server->request('/x');
echo $server->idOf($answer) === $server->runs(1)[0]['id'] ? 'its id ' : 'no id ', $server->runs(1)[0]['start'], "\n";
$server->stop();
?>
--EXPECT--
nothing: 200 body true null, no id
GET: 200 body true null, an id trigger GET /users/12/edit?XHPROF_TRIGGER=REDACTED&b=2&password=REDACTED 200 GET /users/{id}/edit
cookie: 200 body true null, an id trigger GET /c 200 GET /c
POST: 200 body true null, an id trigger POST /p 200 POST /p
status: 404 body true null, an id trigger GET /?code=REDACTED 404 GET (404)
wrong: 200 body true null, no id
longer: 200 body true null, no id
empty: 200 body true null, no id
one: 200 body true null, no id
array: 200 body true null, no id
header: 200 body true null, no id
headers: X-Powered-By: *, X-XHProf-Run: *, X-Other: 1, X-XHProf-Run: mine
every triggered request has one run
still serving
body true null null
body true null null
body true null null
0 runs
null sampled
its id trigger
