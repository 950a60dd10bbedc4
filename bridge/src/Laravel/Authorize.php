<?php

declare(strict_types=1);

namespace XHProf\Bridge\Laravel;

use Closure;
use Illuminate\Contracts\Auth\Access\Gate;
use Illuminate\Contracts\Foundation\Application;
use Illuminate\Http\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Exception\AccessDeniedHttpException;

/** Lets those see the pages whom the application's gate "viewXhprof" lets; without that gate, everybody where APP_ENV is local. */
final class Authorize
{
    public const GATE = 'viewXhprof';

    public function __construct(private readonly Application $app, private readonly Gate $gate)
    {
    }

    /** @param Closure(Request): Response $next */
    public function handle(Request $request, Closure $next): Response
    {
        if (!($this->gate->has(self::GATE) ? $this->gate->allows(self::GATE) : $this->isLocal())) {
            throw new AccessDeniedHttpException($this->gate->has(self::GATE)
                ? 'The gate "viewXhprof" does not let you see these pages.'
                : 'These pages are closed: define the gate "viewXhprof", which says who may see them.');
        }

        return $next($request);
    }

    /** Whether anybody at all may see the pages. */
    public function isOpen(): bool
    {
        return $this->gate->has(self::GATE) || $this->isLocal();
    }

    private function isLocal(): bool
    {
        return (bool) $this->app->environment('local');
    }
}
