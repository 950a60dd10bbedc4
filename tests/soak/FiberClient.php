<?php

declare(strict_types=1);

namespace XHProf\Tests\Soak;

use XHProf\Tools\Servers\ServerFailure;

/** Connections to the server of fibers, each with one request at a time. */
final class FiberClient
{
    private const PATIENCE = 60;

    /** @var array<int, resource> by number */
    private array $open = [];
    /** @var array<int, string> what has come, by connection */
    private array $received = [];
    /** @var array<int, string> the route that a connection waits for */
    private array $asked = [];
    /** @var array<int, int> requests that a connection has had */
    private array $had = [];

    public function __construct(private readonly int $port, private readonly int $each)
    {
    }

    /**
     * Sends all requests.
     *
     * @param iterable<string> $routes
     * @param \Closure(string, int): void $answered called with the route and the status of each answer
     */
    public function send(iterable $routes, int $clients, \Closure $answered): void
    {
        $routes = (static fn() => yield from $routes)();
        for ($i = 0; $i < $clients && $routes->valid(); $i++) {
            $this->ask($i, $routes->current());
            $routes->next();
        }
        while ($this->asked !== []) {
            foreach ($this->arrived() as $i => $status) {
                $answered($this->asked[$i], $status);
                unset($this->asked[$i]);
                if ($routes->valid()) {
                    $this->ask($i, $routes->current());
                    $routes->next();
                }
            }
        }
        $this->open = [];
    }

    /** @return string the body of the answer to the request that ends the server */
    public function end(): string
    {
        $connection = $this->connect();
        fwrite($connection, FiberRoutes::END . " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        $answer = (string) stream_get_contents($connection);

        return explode("\r\n\r\n", $answer, 2)[1] ?? '';
    }

    private function ask(int $i, string $route): void
    {
        if (!isset($this->open[$i]) || $this->had[$i] >= $this->each) {
            $this->open[$i] = $this->connect();
            $this->had[$i] = 0;
        }
        $this->had[$i]++;
        $this->asked[$i] = $route;
        $this->received[$i] = '';
        fwrite($this->open[$i], "$route HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    /** @return array<int, int> the status of each answer that is whole now, by connection */
    private function arrived(): array
    {
        $readable = array_intersect_key($this->open, $this->asked);
        $write = $except = null;
        if (stream_select($readable, $write, $except, self::PATIENCE) === 0) {
            throw new ServerFailure('the server of fibers does not answer');
        }
        $whole = [];
        foreach ($readable as $i => $connection) {
            $bytes = (string) fread($connection, 8192);
            if ($bytes === '') {
                throw new ServerFailure("the server of fibers has closed a connection: {$this->asked[$i]}");
            }
            $this->received[$i] .= $bytes;
            if (preg_match('#^HTTP/1\.1 (\d+) \r\nContent-Length: \d+\r\n\r\n(.*)$#', $this->received[$i], $match) === 1) {
                if ($match[2] === $this->asked[$i]) {
                    $whole[$i] = (int) $match[1];
                }
            }
        }

        return $whole;
    }

    /** @return resource */
    private function connect()
    {
        $connection = stream_socket_client("tcp://127.0.0.1:$this->port", $code, $message, self::PATIENCE);

        return $connection ?: throw new ServerFailure("cannot connect to the server of fibers: $message");
    }
}
