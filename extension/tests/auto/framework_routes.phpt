--TEST--
Routes that routers leave behind. Classes here stand in for the frameworks, which tests/server has themselves
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../auto.inc';

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
