<?php

declare(strict_types=1);

namespace Shop;

/** Finds the handler of a path: "/products/{id}". */
final class Router
{
    /** @var list<array{string, string, \Closure}> method, pattern, handler */
    private array $routes = [];

    public function add(string $method, string $path, \Closure $handler): void
    {
        $pattern = '~^' . preg_replace('~\\\\\{\w+\\\\\}~', '([^/]+)', preg_quote($path, '~')) . '$~';
        $this->routes[] = [$method, $pattern, $handler];
    }

    /** @return array{\Closure, list<string>}|null the handler and its arguments */
    public function match(string $method, string $path): ?array
    {
        foreach ($this->routes as [$wanted, $pattern, $handler]) {
            if ($method === $wanted && preg_match($pattern, $path, $matches) === 1) {
                return [$handler, array_values(array_slice($matches, 1))];
            }
        }

        return null;
    }
}
