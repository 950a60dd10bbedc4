--TEST--
Callbacks: frankenphp_handle_request(), and on('request') of Swoole's server, whatever is given, with exceptions and fibers
--FILE--
<?php
require __DIR__ . '/../worker.inc';

$swoole = <<<'PHP'
    use Swoole\Http\{Request as Given, Response, Server};
    final class Application
    {
        function answer(Given $request, Response $response): string { $response->status(502); return 'method'; }
        function __invoke(Given $request, Response $response): string { return 'object'; }
    }
    function named(Given $request, Response $response): string { return 'function'; }
    $server = new Server();
    $server->on('Start', fn () => work());
    $server->emit('start');
    $server->on('request', function (Given $request, Response $response) {
        if ($request->server['request_uri'] === '/thrown') {
            throw new LogicException('the program has it');
        }
        $response->status($request->server['request_uri'] === '/nothing' ? 404 : 200);
        return work();
    });
    echo $server->emit('request', new Given('GET', '/users/1', 'page=2', ['host' => 'swoole.test']), new Response()), "\n";
    $server->emit('request', new Given('GET', '/nothing'), new Response());
    try { $server->emit('request', new Given('GET', '/thrown'), new Response()); } catch (LogicException $e) { echo $e->getMessage(), "\n"; }
    foreach ([[new Application(), 'answer'], new Application(), 'named'] as $i => $callback) {
        $server->on('request', $callback);
        echo $server->emit('request', new Given('PUT', "/kind/$i"), new Response()), "\n";
    }
    try { $server->on('request', 'missing()'); } catch (TypeError $e) { echo get_class($e), "\n"; }
    try { $server->on('request', fn (Given $given): int => 1) && $server->emit('request'); } catch (ArgumentCountError $e) { echo get_class($e), "\n"; }
    PHP;
$frankenphp = <<<'PHP'
    function frankenphp_handle_request(callable $handler): bool
    {
        static $requests = ['/a/1', '/b', '/thrown', '/a/2', '/exits'];
        if ($requests === []) {
            return false;
        }
        $_SERVER = ['REQUEST_METHOD' => 'GET', 'REQUEST_URI' => array_shift($requests), 'HTTP_HOST' => 'frankenphp.test'];
        $handler();
        return true;
    }
    $handler = static function (): void {
        $_SERVER['REQUEST_URI'] === '/thrown' && throw new LogicException('the server has it');
        $_SERVER['REQUEST_URI'] === '/exits' && exit;
        handle($_SERVER['REQUEST_URI'], fn () => [work(), answer()][1]);
    };
    do {
        try { $more = frankenphp_handle_request($handler); } catch (LogicException $e) { echo $e->getMessage(), "\n"; }
    } while ($more);
    PHP;
foreach ([$swoole, $frankenphp] as $code) {
    xhprof_test_show_worker(xhprof_test_worker($code), 'method', 'route', 'url', 'status', 'failed', 'ended_by');
    xhprof_test_show_worker(xhprof_test_worker($code, ['mode' => 'aggregate']));
}
?>
--EXPECT--
krow
the program has it
method
object
function
TypeError
ArgumentCountError
GET | GET /users/{id} | /users/1?page=2 | 200 | - | -
GET | GET (404) | /nothing | 404 | - | -
GET | GET /thrown | /thrown | - | failed | exception
PUT | PUT /kind/{id} | /kind/0 | 502 | failed | -
PUT | PUT /kind/{id} | /kind/1 | - | - | -
PUT | PUT /kind/{id} | /kind/2 | - | - | -
krow
the program has it
method
object
function
TypeError
ArgumentCountError
GET /users/{id}: 1
GET (404): 1
GET /thrown: 1, failed 1
PUT /kind/{id}: 3, failed 1
the server has it
GET | GET /a/{id} | /a/1 | 200 | - | -
GET | GET /b | /b | 200 | - | -
GET | GET /thrown | /thrown | - | failed | exception
GET | GET /a/{id} | /a/2 | 200 | - | -
GET | GET /exits | /exits | - | - | exit
the server has it
GET /a/{id}: 2
GET /b: 1
GET /thrown: 1, failed 1
GET /exits: 1
