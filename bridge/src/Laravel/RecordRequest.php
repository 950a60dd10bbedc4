<?php

declare(strict_types=1);

namespace XHProf\Bridge\Laravel;

use Closure;
use Illuminate\Contracts\Foundation\Application;
use Illuminate\Http\Request;
use Illuminate\Routing\Route;
use Symfony\Component\HttpFoundation\BinaryFileResponse;
use Symfony\Component\HttpFoundation\Cookie;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpFoundation\StreamedResponse;
use XHProf\Bridge\NextRequest;
use XHProf\Bridge\Recorder;

/**
 * The outermost middleware: records the request that has the signed cookie of "Profile the next request", and keeps requests of
 * the pages out of all profiles.
 */
final class RecordRequest
{
    private const HEADER = 'X-XHProf-Run';

    public function __construct(private readonly Application $app)
    {
    }

    /** @param Closure(Request): Response $next */
    public function handle(Request $request, Closure $next): Response
    {
        $config = $this->app->make('config');
        $path = trim((string) $config->get('xhprof.path'), '/');
        if ($request->is($path, "$path/*", ...(array) $config->get('xhprof.ignore', []))) {
            if (function_exists('xhprof_ignore_request') && getenv('XHPROF_PROFILE_SELF') !== '1') {
                xhprof_ignore_request();
            }

            return $next($request);
        }
        $cookie = $request->cookies->all()[NextRequest::COOKIE] ?? null;
        if ($cookie === null || !$this->app->make(NextRequest::class)->take($cookie)) {
            return $next($request);
        }

        return $this->record($request, $next);
    }

    /** What runs after the answer belongs to the request where config('xhprof.until') says so. */
    public function terminate(Request $request, Response $response): void
    {
        if ($this->app->resolved(Recording::class) && $this->app->make(Recording::class)->isOf($request)) {
            // Behind the callbacks that the program has registered.
            $this->app->terminating(function () use ($request, $response): void {
                $this->app->make(Recording::class)->end($request, self::route($request, $response));
            });
        }
    }

    /** @return string as the extension names it: "GET /orders/{id}", "GET (404)" */
    public static function route(Request $request, ?Response $response = null): string
    {
        $route = ($request->getRouteResolver())();
        if ($route instanceof Route) {
            return $request->getRealMethod() . ' /' . ltrim($route->uri(), '/');
        }

        return $request->getRealMethod() . ' ' . ($response?->getStatusCode() === 404 ? '(404)' : Recorder::NO_ROUTE);
    }

    /** @param Closure(Request): Response $next */
    private function record(Request $request, Closure $next): Response
    {
        $recording = $this->app->make(Recording::class);
        $recording->begin($request, 'web');
        try {
            $response = $next($request);
        } catch (\Throwable $e) {
            $recording->end($request, self::route($request));
            throw $e;
        }
        // An answer that is made while it is sent.
        $isOpen = $response instanceof StreamedResponse || $response instanceof BinaryFileResponse;
        if (!$isOpen && $this->app->make(Settings::class)->isUntilAnswer()) {
            $id = $recording->end($request, self::route($request, $response));
            if ($id !== null && !$response->headers->has(self::HEADER)) {
                $response->headers->set(self::HEADER, $id);
            }
        }
        $response->headers->setCookie(Cookie::fromString(NextRequest::clearCookie($request->isSecure())));

        return $response;
    }
}
