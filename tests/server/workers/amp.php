<?php

declare(strict_types=1);

// Handlers of amphp's HTTP server in fibers of Revolt's loop, at the same time. The interface, request and response are stand-ins
// with the names and shapes of amphp/http-server's.

namespace Amp\Http\Server {
    use Psr\Http\Message\UriInterface;

    interface RequestHandler
    {
        public function handleRequest(Request $request): Response;
    }

    final class Request
    {
        /** @param array<string, list<string>> $headers */
        public function __construct(
            private string $method,
            private UriInterface $uri,
            private array $headers = ['host' => ['amp.test']],
        ) {
        }

        public function path(): string
        {
            return $this->uri->getPath();
        }
    }

    final class Response
    {
        public function __construct(private int $status)
        {
        }
    }
}

namespace {
    use Amp\Http\Server\Request;
    use Amp\Http\Server\RequestHandler;
    use Amp\Http\Server\Response;

    require getenv('XHPROF_TEST_AUTOLOAD');

    final class Application implements RequestHandler
    {
        public function handleRequest(Request $request): Response
        {
            Amp\delay(0.001);
            if ($request->path() === '/set/9') {
                xhprof_set_route('named by the program');
            }
            Amp\async(static fn() => Amp\delay(0.001))->await();

            return new Response($request->path() === '/broken' ? 500 : 200);
        }
    }

    final class Middleware implements RequestHandler
    {
        public function __construct(private RequestHandler $next)
        {
        }

        public function handleRequest(Request $request): Response
        {
            return $this->next->handleRequest($request);
        }
    }

    $server = new Middleware(new Application());
    $futures = [];
    foreach (['/users/1', '/users/2', '/broken', '/set/9', '/users/3'] as $path) {
        $futures[] = Amp\async($server->handleRequest(...), new Request('GET', League\Uri\Http::new("https://amp.test$path")));
    }
    Amp\Future\await($futures);
}
