--TEST--
Routes of requests: of the URL, of the program, and those that routers leave behind
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

echo "Routes of requests: what is not found, parameters, hosts, names of the program:\n";

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

echo "Routes that routers leave behind. Classes here stand in for the frameworks, which tests/server has themselves:\n";

const WORDPRESS = <<<'PHP'
    <?php
    class WP_Query { public $query_vars = [], $is_single = false, $is_category = false, $is_archive = false, $is_404 = false, $is_admin = false; }
    $wp_query = &$GLOBALS['wp_the_query'];
    $wp_query = new WP_Query;
    new WP_Query;

    PHP;
const MEDIAWIKI = <<<'PHP'
    <?php
    class Title { public $mNamespace, $mDbkeyform; }
    class RequestContext {
        private $title, $action;
        private static $instance;
        function __construct($space, $name, $action) {
            $this->title = new Title; $this->title->mNamespace = $space; $this->title->mDbkeyform = $name; $this->action = $action;
            self::$instance = $this;
        }
    }

    PHP;
const PROGRAMS = [
    'Symfony and Drupal: attributes of the request' => <<<'PHP'
        <?php
        namespace Symfony\Component\HttpFoundation {
            class ParameterBag { protected $parameters = []; function __construct($p) { $this->parameters = $p; } }
            class Request { public $attributes; }
        }
        namespace {
            function handle() {
                $request = new Symfony\Component\HttpFoundation\Request;
                $request->attributes = new Symfony\Component\HttpFoundation\ParameterBag(['_route' => 'entity.node.canonical']);
                echo 'page'; flush(); // then the request is gone
            }
            handle();
        }
        PHP,
    'Laravel: the current route of the router, which a container keeps' => <<<'PHP'
        <?php
        namespace Illuminate\Routing {
            class Route { public $uri = 'users/{user}'; }
            class Router { protected $current; function __construct() { $this->current = new Route; } }
        }
        namespace {
            class Container { static $instance; }
            Container::$instance = new Illuminate\Routing\Router;
            echo 'page';
        }
        PHP,
    'Laminas: the match' => <<<'PHP'
        <?php
        namespace Laminas\Router { class RouteMatch { protected $matchedRouteName; function __construct($n) { $this->matchedRouteName = $n; } } }
        namespace Laminas\Router\Http { class RouteMatch extends \Laminas\Router\RouteMatch {} }
        namespace { $other = new Laminas\Router\Http\RouteMatch(null); $match = new Laminas\Router\Http\RouteMatch('album/edit'); echo 'page'; flush(); }
        PHP,
    'WordPress: a product' => WORDPRESS . '$wp_query->is_single = true; $wp_query->query_vars["post_type"] = "product"; echo "page"; flush();',
    'WordPress: a category' => WORDPRESS . '$wp_query->is_category = $wp_query->is_archive = true; echo "page"; flush();',
    'WordPress: its administration' => WORDPRESS . '$wp_query->is_admin = $wp_query->is_archive = true; echo "page"; flush();',
    'WordPress: not found' => WORDPRESS . '$wp_query->is_404 = true; http_response_code(404); echo "page"; flush();',
    'MediaWiki: a page' => MEDIAWIKI . 'new RequestContext(0, "Main_Page", "history"); echo "page"; flush();',
    'MediaWiki: a special page' => MEDIAWIKI . 'new RequestContext(-1, "Search/words", null); echo "page"; flush();',
    'MediaWiki: not found' => MEDIAWIKI . 'http_response_code(404); new RequestContext(0, "Nowhere", null); echo "page"; flush();',
    'the program knows better' => MEDIAWIKI . 'new RequestContext(0, "Main_Page", null); echo "page"; flush(); xhprof_set_route("better");',
    'no values where they are expected' => <<<'PHP'
        <?php
        namespace Symfony\Component\HttpFoundation { class Request { public $attributes = 5; } class Child extends Request { public ?array $attributes2; } }
        namespace Illuminate\Routing { class Router { protected $current = []; } }
        namespace Slim\Routing { class Route { protected bool $groupMiddlewareAppended; protected ?string $pattern; } }
        namespace Laminas\Router { class RouteMatch { static $matchedRouteName = 'static'; } }
        namespace {
            class WP_Query { public $is_single; }
            class RequestContext { private $title; function __construct() { $this->title = &$this; unset($this->title->nothing); } }
            $objects = [new Symfony\Component\HttpFoundation\Request, new Symfony\Component\HttpFoundation\Child, new Illuminate\Routing\Router,
                new Slim\Routing\Route, new Laminas\Router\RouteMatch, new RequestContext, $wp_the_query = new WP_Query];
            unset($objects[0]->attributes);
            echo 'page'; flush();
        }
        PHP,
];
foreach (PROGRAMS as $what => $program) {
    $server = new XhprofTestServer($program, ['mode' => 'sample', 'hooks' => 'off']);
    $server->request('/some/page');
    echo "$what: ", $server->runs(1)[0]['route'], "\n";
    $server->stop();
}
$server = new XhprofTestServer(PROGRAMS['MediaWiki: a page'], ['framework_routes' => 0]);
$server->request('/some/page');
echo 'switched off: ', $server->runs(1)[0]['route'], "\n";
$server->stop();
?>
--EXPECT--
Routes of requests: what is not found, parameters, hosts, names of the program:
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
Routes that routers leave behind. Classes here stand in for the frameworks, which tests/server has themselves:
Symfony and Drupal: attributes of the request: GET entity.node.canonical
Laravel: the current route of the router, which a container keeps: GET /users/{user}
Laminas: the match: GET album/edit
WordPress: a product: GET wordpress:single:product
WordPress: a category: GET wordpress:category
WordPress: its administration: GET /some/page
WordPress: not found: GET (404)
MediaWiki: a page: GET mediawiki:history
MediaWiki: a special page: GET mediawiki:Special:Search
MediaWiki: not found: GET (404)
the program knows better: better
no values where they are expected: GET /some/page
switched off: GET /some/page
