<?php

declare(strict_types=1);

namespace XHProf\Bridge\Psr15;

use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\MiddlewareInterface;
use Psr\Http\Server\RequestHandlerInterface;
use Throwable;
use XHProf\Bridge\NextRequest;
use XHProf\Bridge\Recorder;

/**
 * Records the request that has the signed cookie of "Profile the next request". Its answer has the header X-XHProf-Run. It is the
 * outermost middleware but PagesMiddleware. All other requests pass through; a request that a recorded one makes of the same
 * program belongs to that.
 */
final class RecordMiddleware implements MiddlewareInterface
{
    private const HEADER = 'X-XHProf-Run';

    /** @var \Closure(string): mixed */
    private readonly \Closure $say;

    /**
     * @param NextRequest $next the same that PagesMiddleware has
     * @param (\Closure(ServerRequestInterface, ?ResponseInterface): ?string)|null $route names the run's route, by the request
     *     as it came and its answer, null after an exception. Where it gives null, and without it, NameRoute names it, or
     *     xhprof_set_route()
     * @param (\Closure(string): mixed)|null $say is given the sentence when a request that was asked for cannot be recorded; null
     *     for PHP's log
     */
    public function __construct(
        private readonly NextRequest $next,
        private readonly Recorder $recorder = new Recorder(),
        private readonly ?\Closure $route = null,
        ?\Closure $say = null,
    ) {
        $this->say = $say ?? static fn (string $sentence): bool => error_log("XHProf: $sentence");
    }

    public function process(ServerRequestInterface $request, RequestHandlerInterface $handler): ResponseInterface
    {
        $cookie = $request->getCookieParams()[NextRequest::COOKIE] ?? null;
        if ($cookie === null || $this->recorder->isRecording() || !$this->next->take($cookie)) {
            return $handler->handle($request);
        }
        if ($this->recorder->begin(true)) {
            // Until something names it.
            xhprof_set_route($request->getMethod() . ' ' . Recorder::NO_ROUTE);
        }
        try {
            $answer = $handler->handle($request);
        } catch (Throwable $e) {
            $this->end($request, null);
            throw $e;
        }
        $id = $this->end($request, $answer);
        if ($id !== null && !$answer->hasHeader(self::HEADER)) {
            $answer = $answer->withHeader(self::HEADER, $id);
        }

        return $answer->withAddedHeader('Set-Cookie', NextRequest::clearCookie($request->getUri()->getScheme() === 'https'));
    }

    private function end(ServerRequestInterface $request, ?ResponseInterface $answer): ?string
    {
        try {
            $route = $this->route === null ? null : ($this->route)($request, $answer);
        } catch (Throwable $e) {
            $route = null;
            ($this->say)('The route has no name: ' . $e->getMessage());
        }
        $id = $this->recorder->end($route);
        $problem = $this->recorder->problem();
        if ($problem !== null) {
            ($this->say)($problem);
        }

        return $id;
    }
}
