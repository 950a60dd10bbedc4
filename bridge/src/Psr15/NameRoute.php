<?php

declare(strict_types=1);

namespace XHProf\Bridge\Psr15;

use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\MiddlewareInterface;
use Psr\Http\Server\RequestHandlerInterface;

/**
 * Names the route of the request, for runs that the bridge or settings of php.ini record. It stands within the router's middleware,
 * where the request has what the router found.
 */
final class NameRoute implements MiddlewareInterface
{
    /**
     * @param string|\Closure(ServerRequestInterface): ?string $route an attribute of the request that is the name, or the route of
     *     Slim ("__route__") or Mezzio; or who names it
     */
    public function __construct(private readonly string|\Closure $route)
    {
    }

    public function process(ServerRequestInterface $request, RequestHandlerInterface $handler): ResponseInterface
    {
        if (function_exists('xhprof_set_route')) {
            $name = $this->route instanceof \Closure
                ? ($this->route)($request)
                : self::name($request, $request->getAttribute($this->route));
            if ($name !== null && $name !== '') {
                xhprof_set_route($name);
            }
        }

        return $handler->handle($request);
    }

    private static function name(ServerRequestInterface $request, mixed $route): ?string
    {
        $found = match (true) {
            is_object($route) && method_exists($route, 'getPattern') => $route->getPattern(),
            is_object($route) && method_exists($route, 'getMatchedRouteName') => $route->getMatchedRouteName(),
            default => $route,
        };

        return is_string($found) && $found !== '' ? $request->getMethod() . ' ' . $found : null;
    }
}
