--TEST--
MEMPROF_PROFILE: the environment may always ask; GET and POST only with the value of xhprof.trigger_value
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

$folder = xhprof_test_folder();
file_put_contents("$folder/index.php", <<<'PHP'
<?php
$flags = memprof_enabled_flags();
echo memprof_enabled() ? 'on' : 'off', $flags['dump_on_limit'] ? ', dump_on_limit' : '', $flags['native'] ? ', native' : '';
PHP);

function flags(array $env): string
{
    static $script;
    $script ??= xhprof_test_folder() . '/flags.php';
    copy($GLOBALS['folder'] . '/index.php', $script);
    $child = xhprof_test_child($script, [], [], [], null, $env + array_diff_key(getenv(), ['MEMPROF_PROFILE' => 0]));
    return trim($child['out'] . $child['err']);
}

echo "-- environment\n";
echo 'unset: ', flags([]), "\n";
foreach (['1', '0', 'dump_on_limit', 'x,dump_on_limit,', 'DUMP_ON_LIMIT', ',', 'dump_on_limit2', 'native', str_repeat('x,', 50_000)] as $value) {
    echo strlen($value) > 100 ? 'long' : $value, ': ', flags(['MEMPROF_PROFILE' => $value]), "\n";
}

function server(array $more, callable $requests): void
{
    $code = file_get_contents($GLOBALS['folder'] . '/index.php');
    $server = new XhprofTestServer($code, ['start_with_request' => 'no'], $more);
    $requests(static function (string $query, ?string $post = null, ?string $cookie = null) use ($server): void {
        $answer = $server->request("/?$query", $cookie === null ? [] : ['Cookie' => $cookie], $post)['body'];
        echo implode(' ', array_filter([$query, $post === null ? '' : "POST $post", $cookie === null ? '' : "cookie $cookie"])), ": $answer\n";
    });
    echo $server->isRunning() ? "still serving\n" : "the server died\n";
    $server->stop();
}

foreach (['', 'secret'] as $secret) {
    echo "-- xhprof.trigger_value '$secret'\n";
    server($secret === '' ? [] : ['xhprof.trigger_value' => $secret], static function (callable $get): void {
        $get('');
        $get('MEMPROF_PROFILE=1');
        $get('MEMPROF_PROFILE=1&XHPROF_TRIGGER=');
        $get('MEMPROF_PROFILE=1&XHPROF_TRIGGER=secret');
        $get('XHPROF_TRIGGER=secret');
        $get('MEMPROF_PROFILE=&XHPROF_TRIGGER=secret');
        $get('MEMPROF_PROFILE=dump_on_limit&XHPROF_TRIGGER=secret');
        foreach (['secre', 'secret1', 'Secret', 'secret%00', '%00secret'] as $wrong) {
            $get("MEMPROF_PROFILE=1&XHPROF_TRIGGER=$wrong");
        }
        $get('MEMPROF_PROFILE[]=1&XHPROF_TRIGGER=secret');
        $get('MEMPROF_PROFILE=1&XHPROF_TRIGGER[]=secret');
        $get('MEMPROF_PROFILE=1&XHPROF_TRIGGER[secret]=secret');
        $get('', 'MEMPROF_PROFILE=1&XHPROF_TRIGGER=secret');
        $get('XHPROF_TRIGGER=secret', 'MEMPROF_PROFILE=dump_on_limit');
        $get('MEMPROF_PROFILE=1', 'XHPROF_TRIGGER=secret');
        $get('', 'MEMPROF_PROFILE=1');
        $get('MEMPROF_PROFILE=1', null, 'XHPROF_TRIGGER=secret');
        $get('MEMPROF_PROFILE=1', null, 'XHPROF_TRIGGER=wrong');
        $get('', null, 'XHPROF_TRIGGER=secret; MEMPROF_PROFILE=1');
        $get('');
    });
}
echo "-- another order of variables\n";
server(['xhprof.trigger_value' => 'secret', 'variables_order' => 'E', 'auto_globals_jit' => 0], static function (callable $get): void {
    $get('MEMPROF_PROFILE=1&XHPROF_TRIGGER=secret');
});
echo "-- a program cannot set it\n";
var_dump(ini_set('xhprof.trigger_value', 'x'));
?>
--EXPECT--
-- environment
unset: off
1: on
0: off
dump_on_limit: on, dump_on_limit
x,dump_on_limit,: on, dump_on_limit
DUMP_ON_LIMIT: on
,: on
dump_on_limit2: on
native: Warning: memprof_enable(): Native memory is not tracked: start PHP with LD_PRELOAD=libxhprof_malloc.so in Unknown on line 0
on
long: on
-- xhprof.trigger_value ''
: off
MEMPROF_PROFILE=1: off
MEMPROF_PROFILE=1&XHPROF_TRIGGER=: off
MEMPROF_PROFILE=1&XHPROF_TRIGGER=secret: off
XHPROF_TRIGGER=secret: off
MEMPROF_PROFILE=&XHPROF_TRIGGER=secret: off
MEMPROF_PROFILE=dump_on_limit&XHPROF_TRIGGER=secret: off
MEMPROF_PROFILE=1&XHPROF_TRIGGER=secre: off
MEMPROF_PROFILE=1&XHPROF_TRIGGER=secret1: off
MEMPROF_PROFILE=1&XHPROF_TRIGGER=Secret: off
MEMPROF_PROFILE=1&XHPROF_TRIGGER=secret%00: off
MEMPROF_PROFILE=1&XHPROF_TRIGGER=%00secret: off
MEMPROF_PROFILE[]=1&XHPROF_TRIGGER=secret: off
MEMPROF_PROFILE=1&XHPROF_TRIGGER[]=secret: off
MEMPROF_PROFILE=1&XHPROF_TRIGGER[secret]=secret: off
POST MEMPROF_PROFILE=1&XHPROF_TRIGGER=secret: off
XHPROF_TRIGGER=secret POST MEMPROF_PROFILE=dump_on_limit: off
MEMPROF_PROFILE=1 POST XHPROF_TRIGGER=secret: off
POST MEMPROF_PROFILE=1: off
MEMPROF_PROFILE=1 cookie XHPROF_TRIGGER=secret: off
MEMPROF_PROFILE=1 cookie XHPROF_TRIGGER=wrong: off
cookie XHPROF_TRIGGER=secret; MEMPROF_PROFILE=1: off
: off
still serving
-- xhprof.trigger_value 'secret'
: off
MEMPROF_PROFILE=1: off
MEMPROF_PROFILE=1&XHPROF_TRIGGER=: off
MEMPROF_PROFILE=1&XHPROF_TRIGGER=secret: on
XHPROF_TRIGGER=secret: off
MEMPROF_PROFILE=&XHPROF_TRIGGER=secret: off
MEMPROF_PROFILE=dump_on_limit&XHPROF_TRIGGER=secret: on, dump_on_limit
MEMPROF_PROFILE=1&XHPROF_TRIGGER=secre: off
MEMPROF_PROFILE=1&XHPROF_TRIGGER=secret1: off
MEMPROF_PROFILE=1&XHPROF_TRIGGER=Secret: off
MEMPROF_PROFILE=1&XHPROF_TRIGGER=secret%00: off
MEMPROF_PROFILE=1&XHPROF_TRIGGER=%00secret: off
MEMPROF_PROFILE[]=1&XHPROF_TRIGGER=secret: off
MEMPROF_PROFILE=1&XHPROF_TRIGGER[]=secret: off
MEMPROF_PROFILE=1&XHPROF_TRIGGER[secret]=secret: off
POST MEMPROF_PROFILE=1&XHPROF_TRIGGER=secret: on
XHPROF_TRIGGER=secret POST MEMPROF_PROFILE=dump_on_limit: on, dump_on_limit
MEMPROF_PROFILE=1 POST XHPROF_TRIGGER=secret: on
POST MEMPROF_PROFILE=1: off
MEMPROF_PROFILE=1 cookie XHPROF_TRIGGER=secret: on
MEMPROF_PROFILE=1 cookie XHPROF_TRIGGER=wrong: off
cookie XHPROF_TRIGGER=secret; MEMPROF_PROFILE=1: off
: off
still serving
-- another order of variables
MEMPROF_PROFILE=1&XHPROF_TRIGGER=secret: off
still serving
-- a program cannot set it
bool(false)
