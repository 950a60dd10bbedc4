<?php

declare(strict_types=1);

namespace XHProf\Owners;

/** The site of a route that begins with its host: see xhprof.route_host. */
final class RouteHost
{
    /** What a route without a host belongs to. */
    public const NONE = '(no host)';

    /** "GET shop.example.org/users/{id}", "GET shop.example.org wordpress:home". */
    private const HOST = '/\A(?:[A-Z]+ )?(?<host>[A-Za-z0-9.-]+\.[A-Za-z0-9-]+|localhost|\[[0-9a-f:]+\])(?::[0-9]+)?[\/ ]/';

    public static function of(string $route): string
    {
        return preg_match(self::HOST, $route, $match) === 1 ? strtolower($match['host']) : self::NONE;
    }
}
