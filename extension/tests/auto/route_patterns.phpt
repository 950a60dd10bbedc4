--TEST--
xhprof.route_patterns: names by regular expressions, and what is no pattern
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

echo "xhprof.route_patterns: names by regular expressions, in order, with groups, before the framework and the URL:\n";

const PROGRAM = <<<'PHP'
    <?php
    namespace Slim\Routing;
    class Route { protected string $pattern = '/of/{framework}'; protected bool $groupMiddlewareAppended = true; }
    $path = $_SERVER['REQUEST_URI'];
    if (str_contains($path, 'framework')) { $route = new Route(); }
    if (str_contains($path, 'none')) { http_response_code(404); }
    if (str_contains($path, 'named')) { xhprof_set_route('by_program'); }
    echo 'done';
    PHP;

/** @param list<array{0: string, 1?: array<string, string>, 2?: string}> $requests */
function show(string $patterns, array $requests, array $ini = []): void
{
    $server = new XhprofTestServer(PROGRAM, $ini + ['route_patterns' => "\"$patterns\""]);
    foreach ($requests as $i => $request) {
        $answer = $server->request(...$request);
        if ($answer['body'] !== 'done') {
            echo $answer['body'], "\n";
        }
        $server->runs($i + 1);
    }
    foreach ($server->runs(count($requests)) as $i => $run) {
        $cut = strlen($run['route']) > 60 ? strlen($run['route']) . ' bytes, ...' . substr($run['route'], -5) : $run['route'];
        echo substr($requests[$i][0], 0, 60), ' ', $cut, "\n";
    }
    $server->stop();
}

echo "Order:\n";
show('#^/shop/[^/]+/reviews#=reviews ~/shop/sale~=sale #^/(de|fr)/#=site_\1', [
    ['/shop/blue-hat/reviews?page=list'],
    ['/shop/sale/reviews'],
    ['/shop/sale'],
    ['/shop/other', [], 'a=1'],
    ['/de/datenschutz', [], 'a=1'],
    ['/fr/none'],
    ['/fr/framework'],
    ['/es/framework'],
    ['/es/none'],
    ['/fr/named'],
]);
echo "Groups:\n";
show("#^/a/(\\w+)/(\\w*)#=\\2.\$1 \n\t #^/b/(x)?(y)#=[\\1]\\2\$ #^/c/(.*)#=\\1 #^/C/#i=\\0 #^/d/.(?<tail>.)\$#u=\\1", [
    ['/a/one/two'],
    ['/b/y'],
    ['/c/'],
    ['/c/%2e%20%25'],
    ['/d/%C3%A4%C3%B6'],
    ['/d/%E4%F6'],
]);
echo "Queries:\n";
show('#[?&]route=(/[\w/]+)#=pma:\1 #^/wiki/([A-Z]\w+):#=space:\1 #q=(.*)#s=q:\1', [
    ['/index.php?route=/sql&db=shop'],
    ['/index.php?db=shop&route=%2Ftable%2Fstructure'],
    ['/wiki/Help:Contents'],
    ['/index.php?q=password=abc'],
    ['/index.php?token=geheim&q=1&token=geheim'],
    ['/index.php?q=a%0Ab%00c'],
    ['/index.php?q=' . str_repeat('a', 300)],
    ['/index.php?q=' . str_repeat('%C3%A4', 150)],
]);
echo "Hosts:\n";
show('#^/(de|fr)/#=site_\1 #^/x#=/y', [['/de/'], ['/x']], ['route_host' => 'request']);

echo "xhprof.route_patterns: what is no pattern, or runs wild, is one line in PHP's log; the program notices nothing:\n";

const ASKING = <<<'PHP'
    <?php
    echo preg_last_error(), ' ', json_encode(error_get_last()), ' ', memory_get_usage(), ' ', memory_get_peak_usage();
    PHP;

/** @return array{answers: list<string>, log: string, routes: list<string>} */
function ask(string $program, array $ini, array $paths, bool $waits = true): array
{
    $log = xhprof_test_folder() . '/log';
    touch($log);
    $server = new XhprofTestServer($program, $ini, ['error_log' => $log, 'pcre.jit' => 0]);
    $answers = $routes = [];
    foreach ($paths as $i => $path) {
        $answers[] = $server->request($path)['body'];
        $routes = $waits ? array_column($server->runs($i + 1), 'route') : [];
    }
    $server->stop();
    return ['answers' => $answers, 'log' => preg_replace('/^\[.*? UTC] /m', '', file_get_contents($log)), 'routes' => $routes];
}

$wild = '/' . str_repeat('a', 60) . '!';
$paths = ['/good', $wild, '/good', $wild];
$patterns = implode(' ', [
    'word', '#open=x', '#/good#', '#/good#=', '#/good#q=x', '=/good=x', '#(/good#=x', '#/(go)od#=\1\2', '#^/(a+)+$#=wild', '#/good#=good',
]);
$bad = ask(ASKING, ['route_patterns' => "'$patterns'"], $paths);
$none = ask(ASKING, [], $paths);
echo $bad['log'];
print_r($bad['routes']);
echo implode(' ', array_slice(explode(' ', $bad['answers'][3]), 0, 2)), "\n";
var_dump($bad['answers'] === $none['answers'], $none['log']);

echo "A program that looks at its own errors, and begins a span meanwhile:\n";
$program = <<<'PHP'
    <?php
    ini_set('pcre.backtrack_limit', '1');
    preg_match('/(a+)+$/', 'aaaaaaaaaa!');
    $before = preg_last_error();
    $span = xhprof_span('job');
    echo $before, ' ', preg_last_error(), ' ', preg_last_error_msg();
    PHP;
$span = ask($program, ['start_with_request' => 'no', 'mode' => 'aggregate', 'route_patterns' => "'#^/(a+)+$#=wild'"], [$wild], false);
echo $span['answers'][0], "\n", $span['log'];
?>
--EXPECT--
xhprof.route_patterns: names by regular expressions, in order, with groups, before the framework and the URL:
Order:
/shop/blue-hat/reviews?page=list GET reviews
/shop/sale/reviews GET reviews
/shop/sale GET sale
/shop/other POST /shop/other
/de/datenschutz POST site_de
/fr/none GET site_fr
/fr/framework GET site_fr
/es/framework GET /of/{framework}
/es/none GET (404)
/fr/named by_program
Groups:
/a/one/two GET two.one
/b/y GET []y$
/c/ GET /c/
/c/%2e%20%25 GET . %
/d/%C3%A4%C3%B6 GET ö
/d/%E4%F6 GET /d/%E4%F6
Queries:
/index.php?route=/sql&db=shop GET pma:/sql
/index.php?db=shop&route=%2Ftable%2Fstructure GET pma:/table/structure
/wiki/Help:Contents GET space:Help
/index.php?q=password=abc GET q:REDACTED
/index.php?token=geheim&q=1&token=geheim GET q:1&token=REDACTED
/index.php?q=a%0Ab%00c GET q:a?b?c
/index.php?q=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa 200 bytes, ...aa...
/index.php?q=%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A4%C3%A 199 bytes, ...ä...
Hosts:
/de/ GET 127.0.0.1 site_de
/x GET 127.0.0.1/y
xhprof.route_patterns: what is no pattern, or runs wild, is one line in PHP's log; the program notices nothing:
xhprof: xhprof.route_patterns: "word" is ignored: a pattern is written as #expression#=name
xhprof: xhprof.route_patterns: "#open=x #/good#" is ignored: a pattern is written as #expression#=name
xhprof: xhprof.route_patterns: "#/good#=" is ignored: a pattern is written as #expression#=name
xhprof: xhprof.route_patterns: "#/good#q=x" is ignored: a pattern is written as #expression#=name
xhprof: xhprof.route_patterns: "=/good=x" is ignored: a pattern is written as #expression#=name
xhprof: xhprof.route_patterns: "#(/good#=x" is ignored: missing closing parenthesis
xhprof: xhprof.route_patterns: "#/(go)od#=\1\2" is ignored: its name has a group that the expression lacks
xhprof: xhprof.route_patterns: "#^/(a+)+$#=wild" was given up for a URL: it takes too many steps
Array
(
    [0] => GET good
    [1] => GET /aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!
    [2] => GET good
    [3] => GET /aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!
)
0 null
bool(true)
string(0) ""
A program that looks at its own errors, and begins a span meanwhile:
2 2 Backtrack limit exhausted
xhprof: xhprof.route_patterns: "#^/(a+)+$#=wild" was given up for a URL: it takes too many steps
