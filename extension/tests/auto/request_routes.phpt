--TEST--
Routes of requests: what is not found, parameters, hosts, names of the program
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

const PROGRAM = <<<'PHP'
    <?php
    $path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
    if (str_starts_with($path, '/none')) { http_response_code(404); }
    if (str_starts_with($path, '/named')) { http_response_code(404); xhprof_set_route('named'); }
    echo 'done';
    PHP;

/** @param list<array{0: string, 1?: array<string, string>, 2?: string}> $requests */
function show(array $ini, array $requests): void
{
    $server = new XhprofTestServer(PROGRAM, $ini);
    foreach ($requests as $i => $request) {
        $server->request(...$request);
        $server->runs($i + 1);
    }
    foreach ($server->runs(count($requests)) as $run) {
        echo $run['route'], "\n";
    }
    $server->stop();
}

show([], [
    ['/none/' . bin2hex(random_bytes(4))],
    ['/none', [], 'a=1'],
    ['/named/5'],
    ['/index.php?title=Main_Page&action=edit'],
    ['/index.php?title=Some_Page'],
    ['/index.php?route=/table/structure&db=shop&token=s3cret'],
    ['/wp-admin/admin-ajax.php?action=heartbeat'],
    ['/wp-admin/admin-ajax.php', [], 'action=save-post&post=17'],
    ['/wp-admin/admin.php?page=wc-settings&tab=tax'],
    ['/?p=123'],
    ['/?p=123&page=2'],
    ['/?rest_route=%2Fwp%2Fv2%2Fposts%2F17'],
    ['/list?page=7'],
    ['/x?action=' . str_repeat('a', 100)],
    ['/x?action=%3Cscript%3E'],
    ['/x?action[]=edit'],
    ['/secret?action=sk_live_abcdefghijklmnop&page=shown'],
    ['/secret//x?token=abc&action=shown'],
]);
echo "with other parameters:\n";
show(['route_parameters' => '"do, id*,token"', 'route_host' => 'request'], [
    ['/x?action=edit&do=show&id=9&token=abc'],
    ['/x', ['Host' => 'Shop.Example.org:8080']],
    ['/x', ['Host' => 'a b']],
    ['/none', ['Host' => 'shop.example.org']],
    ['/named', ['Host' => 'shop.example.org']],
]);
echo "with the server's own name:\n";
show(['route_host' => 'server'], [['/x', ['Host' => 'shop.example.org']], ['/none', ['Host' => 'shop.example.org']]]);
echo "without:\n";
show(['route_parameters' => ''], [['/?p=1&action=edit']]);
?>
--EXPECT--
GET (404)
POST (404)
named
GET /index.php?action=edit
GET /index.php
GET /index.php?route=/table/structure
GET /wp-admin/admin-ajax.php?action=heartbeat
POST /wp-admin/admin-ajax.php?action=save-post
GET /wp-admin/admin.php?page=wc-settings
GET /?p={id}
GET /?p={id}
GET /?rest_route=/wp/v2/posts/{id}
GET /list
GET /x
GET /x
GET /x
GET /secret?page=shown
GET /secret/x?action=shown
with other parameters:
GET 127.0.0.1/x?do=show&id={id}
GET shop.example.org/x
GET {host}/x
GET shop.example.org (404)
shop.example.org named
with the server's own name:
GET 127.0.0.1/x
GET 127.0.0.1 (404)
without:
GET /
