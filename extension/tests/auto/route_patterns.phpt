--TEST--
xhprof.route_patterns: names by regular expressions, in order, with groups, before the framework and the URL
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';

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
?>
--EXPECT--
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
