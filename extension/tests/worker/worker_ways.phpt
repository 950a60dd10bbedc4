--TEST--
Ways of programs: all kinds of callbacks, also those that only their own class can call; an answer that fails and another one in its place; fibers of a request; a failure that the handler catches; a span that is open when the answer is sent
--FILE--
<?php
require __DIR__ . '/../worker.inc';

$frankenphp = <<<'PHP'
    function frankenphp_handle_request(callable $handler): bool
    {
        static $number = 0;
        $_SERVER = ['REQUEST_METHOD' => 'GET', 'REQUEST_URI' => '/page/' . chr(ord('a') + $number++)];
        $handler();
        return $number < 2;
    }
    class Application
    {
        static string $called = '';
        static function page(): void { work(); self::$called .= static::class; }
        function __call(string $name, array $arguments): void { work(); self::$called .= $name; }
        static function __callStatic(string $name, array $arguments): void { work(); self::$called .= $name; }
    }
    final class Blog extends Application {}
    while (frankenphp_handle_request(GIVEN));
    echo Application::$called, "\n";
    PHP;
foreach (["['Blog', 'page']", "'Blog::page'", "[new Blog(), 'page']", "[new Blog(), 'magic']", "['Blog', 'magic']", 'Blog::magic(...)', "'Late::page'"] as $given) {
    echo "-- $given\n";
    $load = $given === "'Late::page'" ? "spl_autoload_register(static fn (string \$name) => eval(\"final class \$name extends Application {}\"));\n" : '';
    xhprof_test_show_worker(xhprof_test_worker($load . str_replace('GIVEN', $given, $frankenphp)), 'route');
}
$swoole = <<<'PHP'
    use Swoole\Http\{Request as Given, Response, Server};
    final class Shop extends Server
    {
        function __construct() { $this->on('request', [$this, 'answer']); }
        protected function answer(Given $request, Response $response): string
        {
            $code = (int) substr($request->server['request_uri'], 1);
            (new Fiber(static fn () => $response->status($code)))->start();
            return 'method';
        }
    }
    final class Stranger { private function answer(): void {} }
    $shop = new Shop();
    echo $shop->emit('request', new Given('GET', '/404'), new Response()), $shop->emit('request', new Given('GET', '/503'), new Response()), "\n";
    try { $shop->on('request', [new Stranger(), 'answer']); } catch (TypeError $e) { echo get_class($e), "\n"; }
    PHP;
$roadrunner = <<<'PHP'
    use Spiral\RoadRunner\Http\{HttpWorker, PSR7Worker, Request as Given};
    final class Broken extends HttpWorker
    {
        function respond(int $status, string $body = '', array $headers = [], bool $endOfStream = true): void { $status === 200 ? throw new RuntimeException() : parent::respond($status); }
    }
    $worker = new PSR7Worker(new Broken());
    $worker->http->requests = [new Given('GET', '/answered/1'), new Given('GET', '/given-up'), new Given('GET', '/answered/2')];
    while ($request = $worker->waitRequest()) {
        try { $worker->respond(answer()); } catch (RuntimeException) { work(); $request->path() === '/given-up' || $worker->respond(answer(500)); }
    }
    // A fiber of the request is a part of it, with the handler and the answer.
    $worker->http->requests = [new Given('GET', '/fiber/1'), new Given('GET', '/fiber/2')];
    while ($request = $worker->waitRequest()) {
        $fiber = new Fiber(static fn () => $worker->respond((new Handler(static fn () => [work(), Fiber::suspend(), answer(202)][2]))->handle($request)));
        $fiber->start();
        $fiber->resume();
        work();
    }
    // A span of the program's that the end of the request has ended: its own end comes late.
    $worker->http->requests = [new Given('GET', '/span')];
    while ($worker->waitRequest()) {
        xhprof_begin_span('outer');
        xhprof_begin_span('inner');
        $worker->respond(answer(204));
        echo json_encode([xhprof_end_span()]), "\n";
    }
    xhprof_end_span();
    // A span of another fiber that the loop has ended, but not left.
    $fiber = new Fiber(static fn () => Fiber::suspend(xhprof_span('background')));
    $background = $fiber->start();
    $background->enter();
    work();
    $background->end();
    $worker->http->requests = [new Given('GET', '/after/1'), new Given('GET', '/after/2')];
    while ($worker->waitRequest()) {
        $worker->respond(answer(202));
    }
    PHP;
$messenger = <<<'PHP'
    use Symfony\Component\Messenger\{Envelope, MessageBus};
    const OF_WORKER = 'Symfony\\Component\\Messenger\\Stamp\\ConsumedByWorkerStamp';
    final class Charge { function run(): void { throw new LogicException('no money'); } }
    final class Order { function run(): void { try { (new MessageBus())->dispatch(new Envelope(new Charge(), OF_WORKER)); } catch (LogicException) { work(); } } }
    final class Rethrows { function run(): void { (new MessageBus())->dispatch(new Envelope(new Charge(), OF_WORKER)); } }
    $worker = new Symfony\Component\Messenger\Worker();
    foreach ([new Order(), new Charge(), new Rethrows()] as $message) {
        $worker->run(new Envelope($message, OF_WORKER));
    }
    (new MessageBus())->dispatch(new Envelope(new Order(), OF_WORKER));
    handle('/order', static function () { try { (new MessageBus())->dispatch(new Envelope(new Charge(), OF_WORKER)); } catch (LogicException) {} return answer(201); });
    PHP;
$worker = <<<'PHP'
    namespace Symfony\Component\Messenger {
        final class Worker
        {
            function run(Envelope $envelope): void { $this->handleMessage($envelope, 'async'); }
            private function handleMessage(Envelope $envelope, string $transport): void { try { (new MessageBus())->dispatch($envelope); } catch (\LogicException) {} }
        }
    }
    PHP;
foreach (['Swoole' => $swoole, 'RoadRunner' => $roadrunner, 'Messenger' => $messenger] as $name => $code) {
    foreach (['auto', 'walk'] as $hooks) {
        echo "-- $name, hooks=$hooks\n";
        $code = $name === 'Messenger' && !str_contains($code, 'namespace') ? "}\n$worker\nnamespace {\n$code" : $code;
        xhprof_test_show_worker(xhprof_test_worker($code, ['hooks' => $hooks]), 'route', 'status', 'failed', 'ended_by');
    }
}
?>
--EXPECT--
-- ['Blog', 'page']
BlogBlog
GET /page/a
GET /page/b
-- 'Blog::page'
BlogBlog
GET /page/a
GET /page/b
-- [new Blog(), 'page']
BlogBlog
GET /page/a
GET /page/b
-- [new Blog(), 'magic']
magicmagic
GET /page/a
GET /page/b
-- ['Blog', 'magic']
magicmagic
GET /page/a
GET /page/b
-- Blog::magic(...)
magicmagic
GET /page/a
GET /page/b
-- 'Late::page'
LateLate
GET /page/b
-- Swoole, hooks=auto
methodmethod
TypeError
GET (404) | 404 | - | -
GET /{id} | 503 | failed | -
-- Swoole, hooks=walk
methodmethod
TypeError
GET (404) | 404 | - | -
GET /{id} | 503 | failed | -
-- RoadRunner, hooks=auto
[null]
GET /answered/{id} | 500 | failed | -
GET /given-up | - | - | next request
GET /answered/{id} | 500 | failed | -
GET /fiber/{id} | 202 | - | -
GET /fiber/{id} | 202 | - | -
GET /span | 204 | - | -
background | - | - | -
GET /after/{id} | 202 | - | -
GET /after/{id} | 202 | - | -
-- RoadRunner, hooks=walk
[null]
GET /answered/{id} | 500 | failed | -
GET /given-up | - | - | next request
GET /answered/{id} | 500 | failed | -
GET /fiber/{id} | 202 | - | -
GET /fiber/{id} | 202 | - | -
GET /span | 204 | - | -
background | - | - | -
GET /after/{id} | 202 | - | -
GET /after/{id} | 202 | - | -
-- Messenger, hooks=auto
Order | - | - | -
Charge | - | failed | -
Rethrows | - | failed | -
Order | - | - | -
GET /order | 201 | - | -
-- Messenger, hooks=walk
Order | - | - | -
Charge | - | failed | -
Rethrows | - | failed | -
Order | - | - | -
GET /order | 201 | - | -
