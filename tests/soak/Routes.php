<?php

declare(strict_types=1);

namespace XHProf\Tests\Soak;

use XHProf\Store\RunFolder;
use XHProf\Tools\Servers\PhpFpm;

/** Requests by route: as nginx has logged them, as it could not end them, and as the windows have them. */
final class Routes
{
    /** @return array<string, int> requests in nginx's log */
    public static function logged(PhpFpm $server): array
    {
        $counts = [];
        foreach ($server->requests() as [$status, $method, $path]) {
            $route = self::name($status, $method, $path);
            $counts[$route] = ($counts[$route] ?? 0) + 1;
        }
        ksort($counts);

        return $counts;
    }

    /**
     * Requests whose worker was gone before it had answered.
     *
     * @param string $errors nginx's log of errors
     * @return array<string, int>
     */
    public static function interrupted(string $errors): array
    {
        $counts = [];
        $line = '/(?:prematurely closed|recv\(\) failed|writev\(\) failed|connect\(\) failed).*? request: "(\w+) (\S+) HTTP/';
        preg_match_all($line, $errors, $matches, PREG_SET_ORDER);
        foreach ($matches as [, $method, $path]) {
            $route = self::name(200, $method, $path);
            $counts[$route] = ($counts[$route] ?? 0) + 1;
        }

        return $counts;
    }

    /** @return array{array<string, int>, int} requests in all windows of a run folder, and damaged records */
    public static function counted(string $folder): array
    {
        $store = new RunFolder($folder);
        $counts = [];
        $damaged = 0;
        foreach ($store->list() as $run) {
            $window = $store->open($run->id)->meta()->window;
            $damaged += $window->damaged ?? 0;
            foreach ($window?->routes() ?? [] as $route) {
                // The process that collects what is left is a program without a method.
                if (preg_match('/^[A-Z]+ /', $route) === 1) {
                    $counts[$route] = ($counts[$route] ?? 0) + ($window?->routeStats($route)->requests ?? 0);
                }
            }
        }
        ksort($counts);

        return [$counts, $damaged];
    }

    /** The route that such a request has. An interrupted request has no status of its own. */
    private static function name(int $status, string $method, string $path): string
    {
        $path = (string) preg_replace('/\?.*/', '', $path);
        if ($status === 404 || str_starts_with($path, '/nowhere')) {
            return "$method (404)";
        }

        return "$method " . preg_replace('#/\d+(?=/|$)#', '/{id}', $path);
    }
}
