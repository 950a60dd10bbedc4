--TEST--
Routes that a worker's router has chosen, also after a request that it knows nothing of; Mezzio, Laminas, Laravel, Slim, Symfony; coroutine servers of OpenSwoole, amphp
--FILE--
<?php
require __DIR__ . '/../worker.inc';

$routers = <<<'PHP'
    namespace Mezzio\Router {
        class Route { function __construct(private string $path, private ?string $name = null) {} }
        class RouteResult { function __construct(private ?Route $route) {} function process(object $request, object $handler): object { return $handler->handle($request); } }
    }
    namespace Mezzio\Swoole {
        class SwooleRequestHandlerRunner
        {
            function __construct(private \Closure $application) {}
            function onRequest(object $request, object $response): void { ($this->application)($request); }
        }
    }
    namespace Laminas\Router { class RouteMatch { function __construct(protected string $matchedRouteName) {} } }
    namespace Laminas\Mvc { class MvcEvent { function setRouteMatch(\Laminas\Router\RouteMatch $match): void {} } }
    namespace Illuminate\Routing {
        class Route { public string $uri = 'users/{user}'; }
        class Router { function run(object $request): object { return $this->runRoute($request, new Route()); } protected function runRoute(object $request, Route $route): object { return \answer(); } }
    }
    namespace Slim\Routing { class Route { protected string $pattern = '/slim/{id}'; function run(object $request): object { return \answer(); } } }
    namespace Symfony\Component\HttpFoundation {
        class ParameterBag { protected array $parameters = []; function __construct(array $parameters) { $this->parameters = $parameters; } function set(string $name, string $value): void { $this->parameters[$name] = $value; } }
        class Request
        {
            public ParameterBag $server, $attributes;
            function __construct(string $method, string $uri)
            {
                $this->server = new ParameterBag(['REQUEST_METHOD' => $method, 'REQUEST_URI' => $uri, 'HTTP_HOST' => 'symfony.test']);
                $this->attributes = new ParameterBag([]);
            }
        }
    }
    namespace Symfony\Component\HttpKernel {
        class HttpKernel
        {
            function handle(\Symfony\Component\HttpFoundation\Request $request, int $type = 1): object
            {
                $request->attributes->set('_route', $type === 1 ? 'user_show' : 'a_part');
                $type === 1 && $this->handle(new \Symfony\Component\HttpFoundation\Request('GET', '/part'), 2);
                return \answer($type === 1 ? 201 : 200);
            }
        }
    }
    namespace Laravel\Octane { class Worker { function handle(object $request, object $context): void { ($context->does)($request); } } }
    namespace OpenSwoole\Coroutine\Http {
        class Server { private \Closure $callback; function handle(string $pattern, callable $callback): void { $this->callback = $callback; } function emit(object ...$given): void { ($this->callback)(...$given); } }
    }
    namespace OpenSwoole\Http { class Response { function setStatusCode(int $code): bool { return true; } } }
    namespace Amp\Http\Server {
        interface RequestHandler { function handleRequest(Request $request): Response; }
        class Request { private string $method = 'GET'; private array $headers = ['host' => ['amp.test']]; private \Uri $uri; function __construct(string $url) { $this->uri = new \Uri($url); } }
        class Response { private int $status = 418; }
    }
    PHP;
$code = <<<'PHP'
    use Mezzio\Router\{Route, RouteResult};
    use Swoole\Http\Request as Given;
    $handler = new Handler(fn () => answer());
    handle('/mezzio/1', fn ($request) => (new RouteResult(new Route('/mezzio/{id}', 'mezzio.show')))->process($request, $handler));
    handle('/mezzio/2', fn ($request) => (new RouteResult(new Route('/mezzio/{id}')))->process($request, $handler));
    handle('/mezzio/none', fn ($request) => (new RouteResult(null))->process($request, $handler));
    (new Mezzio\Swoole\SwooleRequestHandlerRunner(fn () => handle('/inner', fn ($request) => (new RouteResult(new Route('/x', 'on.swoole')))->process($request, $handler))))
        ->onRequest(new Given('GET', '/outer/1', '', ['host' => 'mezzio.test']), new stdClass());
    handle('/laminas', function () { (new Laminas\Mvc\MvcEvent())->setRouteMatch(new Laminas\Router\RouteMatch('laminas/name')); return answer(); });
    $router = new Illuminate\Routing\Router();
    handle('/laravel/1', fn ($request) => $router->run($request));
    handle('/laravel/1', fn () => answer(404));
    $slim = new Slim\Routing\Route();
    handle('/slim/1', fn ($request) => $slim->run($request));
    handle('/slim/none', fn () => answer());
    handle('/twice/1', fn ($request) => [$slim->run($request), $router->run($request)][1]);
    handle('/named/1', function ($request) use ($slim) { xhprof_set_route('by the program'); return $slim->run($request); });
    $octane = new Laravel\Octane\Worker();
    $kernel = new Symfony\Component\HttpKernel\HttpKernel();
    $octane->handle(new Symfony\Component\HttpFoundation\Request('GET', '/users/1?page=2'), (object) ['does' => $kernel->handle(...)]);
    $server = new OpenSwoole\Coroutine\Http\Server();
    $server->handle('/', fn ($request, $response) => $response->setStatusCode(503));
    $server->emit(new Given('GET', '/open/1', '', ['host' => 'open.test']), new OpenSwoole\Http\Response());
    final class Application implements Amp\Http\Server\RequestHandler { function handleRequest(Amp\Http\Server\Request $request): Amp\Http\Server\Response { return new Amp\Http\Server\Response(); } }
    (new Application())->handleRequest(new Amp\Http\Server\Request('https://other.test/amp/1?x=2'));
    // What is no request begins nothing.
    (new Handler(fn () => answer()))->handle(new stdClass());
    PHP;
foreach ([['mode' => 'exact'], ['mode' => 'exact', 'framework_routes' => 0, 'route_host' => 'request']] as $ini) {
    echo '-- ', json_encode($ini), "\n";
    $result = xhprof_test_auto(XHPROF_TEST_RUNTIMES . "$routers\nnamespace {\n$code\n}\n", $ini, [], ['display_errors' => 1]);
    xhprof_test_show_worker($result, 'route', 'url', 'host', 'status');
}
?>
--EXPECT--
-- {"mode":"exact"}
GET mezzio.show | /mezzio/1 | h.test | 200
GET /mezzio/{id} | /mezzio/2 | h.test | 200
GET /mezzio/none | /mezzio/none | h.test | 200
GET on.swoole | /outer/1 | mezzio.test | 200
GET laminas/name | /laminas | h.test | 200
GET /users/{user} | /laravel/1 | h.test | 200
GET (404) | /laravel/1 | h.test | 404
GET /slim/{id} | /slim/1 | h.test | 200
GET /slim/none | /slim/none | h.test | 200
GET /slim/{id} | /twice/1 | h.test | 200
by the program | /named/1 | h.test | 200
GET user_show | /users/1?page=2 | symfony.test | 201
GET /open/{id} | /open/1 | open.test | 503
GET /amp/{id} | /amp/1?x=2 | amp.test | 418
-- {"mode":"exact","framework_routes":0,"route_host":"request"}
GET h.test/mezzio/{id} | /mezzio/1 | h.test | 200
GET h.test/mezzio/{id} | /mezzio/2 | h.test | 200
GET h.test/mezzio/none | /mezzio/none | h.test | 200
GET mezzio.test/outer/{id} | /outer/1 | mezzio.test | 200
GET h.test/laminas | /laminas | h.test | 200
GET h.test/laravel/{id} | /laravel/1 | h.test | 200
GET h.test (404) | /laravel/1 | h.test | 404
GET h.test/slim/{id} | /slim/1 | h.test | 200
GET h.test/slim/none | /slim/none | h.test | 200
GET h.test/twice/{id} | /twice/1 | h.test | 200
h.test by the program | /named/1 | h.test | 200
GET symfony.test/users/{id} | /users/1?page=2 | symfony.test | 201
GET open.test/open/{id} | /open/1 | open.test | 503
GET amp.test/amp/{id} | /amp/1?x=2 | amp.test | 418
