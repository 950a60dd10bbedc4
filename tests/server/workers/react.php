<?php

declare(strict_types=1);

// ReactPHP's loop and sockets, and a stand-in of the part of react/http that handles a request.

namespace React\Http\Io {
    use Psr\Http\Message\ResponseInterface;
    use Psr\Http\Message\ServerRequestInterface;
    use React\Socket\ConnectionInterface;

    final class StreamingServer
    {
        public function __construct(private \Closure $callback)
        {
        }

        public function handleRequest(ConnectionInterface $conn, ServerRequestInterface $request): void
        {
            $this->handleResponse($conn, $request, ($this->callback)($request));
        }

        public function handleResponse(
            ConnectionInterface $connection,
            ServerRequestInterface $request,
            ResponseInterface $response,
        ): void {
            $connection->end("HTTP/1.1 {$response->getStatusCode()} OK\r\n\r\n");
        }
    }
}

namespace {
    use Nyholm\Psr7\Factory\Psr17Factory;
    use Psr\Http\Message\ServerRequestInterface;
    use React\EventLoop\Loop;
    use React\Http\Io\StreamingServer;
    use React\Socket\ConnectionInterface;
    use React\Socket\Connector;
    use React\Socket\SocketServer;

    require getenv('XHPROF_TEST_AUTOLOAD');

    $factory = new Psr17Factory();
    $http = new StreamingServer(static function (ServerRequestInterface $request) use ($factory) {
        return $factory->createResponse($request->getUri()->getPath() === '/broken' ? 502 : 200);
    });
    $socket = new SocketServer('127.0.0.1:0');
    $socket->on('connection', static function (ConnectionInterface $connection) use ($http, $factory): void {
        $connection->on('data', static function (string $head) use ($connection, $http, $factory): void {
            [$method, $path] = explode(' ', $head);
            $http->handleRequest($connection, $factory->createServerRequest($method, "http://react.test$path"));
        });
    });
    $left = 3;
    foreach (['/users/1', '/broken', '/users/2'] as $path) {
        $send = static function (ConnectionInterface $connection) use ($path, &$left, $socket): void {
            $connection->write("GET $path HTTP/1.1\r\n\r\n");
            $connection->on('close', static function () use (&$left, $socket): void {
                --$left === 0 && $socket->close();
            });
        };
        (new Connector())->connect((string) $socket->getAddress())->then($send);
    }
    Loop::run();
}
