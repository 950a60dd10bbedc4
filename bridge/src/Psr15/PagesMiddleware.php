<?php

declare(strict_types=1);

namespace XHProf\Bridge\Psr15;

use Psr\Http\Message\ResponseFactoryInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Psr\Http\Server\MiddlewareInterface;
use Psr\Http\Server\RequestHandlerInterface;
use XHProf\Bridge\Mount;
use XHProf\Bridge\NextRequest;
use XHProf\Web\Http\Response;

/**
 * The pages below a path of the site: as the outermost middleware, which passes other paths on, or as the handler of a route. It
 * stands behind what knows the user, if $isAllowed needs that. Requests of the pages are not profiled.
 */
final class PagesMiddleware implements MiddlewareInterface, RequestHandlerInterface
{
    private readonly string $path;

    /**
     * @param (\Closure(ServerRequestInterface): bool)|null $isAllowed who may see the pages; without it nobody
     * @param string $path of the pages, with that of the program before it
     * @param NextRequest|null $next for the button "Profile the next request"
     * @param string|null $folder of the runs; null for the one of the settings
     * @param array<string, string> $settings of the pages that count before the environment's, as Mount has them
     */
    public function __construct(
        private readonly ResponseFactoryInterface $responses,
        private readonly StreamFactoryInterface $streams,
        private readonly ?\Closure $isAllowed,
        string $path = '/_xhprof',
        private readonly ?NextRequest $next = null,
        private readonly ?string $folder = null,
        private readonly array $settings = [],
    ) {
        $this->path = '/' . trim($path, '/');
    }

    public function process(ServerRequestInterface $request, RequestHandlerInterface $handler): ResponseInterface
    {
        return $this->below($request) === null ? $handler->handle($request) : $this->handle($request);
    }

    public function handle(ServerRequestInterface $request): ResponseInterface
    {
        if (function_exists('xhprof_ignore_request') && getenv('XHPROF_PROFILE_SELF') !== '1') {
            xhprof_ignore_request();
        }
        $messages = new Messages($this->responses, $this->streams);

        return $messages->response($this->answer($request, $messages), strtoupper($request->getMethod()) !== 'HEAD');
    }

    private function answer(ServerRequestInterface $request, Messages $messages): Response
    {
        $below = $this->below($request);
        if ($below === null) {
            return Response::error(404, "The pages are below $this->path/.");
        }
        if ($this->isAllowed === null) {
            return Response::error(403, 'These pages are closed: PagesMiddleware has no $isAllowed, which says who may see them.');
        }
        if (($this->isAllowed)($request) !== true) {
            return Response::error(403, 'You may not see these pages.');
        }
        $asked = $messages->request($request);

        return (new Mount($this->folder, $this->settings, $this->next))->respond(
            $below,
            $asked->method,
            $asked->query,
            $asked->form,
            $request->getCookieParams(),
            $asked->server,
            $asked->files,
            true,
        );
    }

    /** @return string|null the part of the path behind that of the pages, null for another path */
    private function below(ServerRequestInterface $request): ?string
    {
        $path = rawurldecode($request->getUri()->getPath());
        if ($path !== $this->path && !str_starts_with($path, "$this->path/")) {
            return null;
        }

        return substr($path, strlen($this->path));
    }
}
