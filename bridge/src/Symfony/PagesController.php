<?php

declare(strict_types=1);

namespace XHProf\Bridge\Symfony;

use Symfony\Component\HttpFoundation\Cookie;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpFoundation\StreamedResponse;
use Symfony\Component\HttpKernel\Profiler\Profiler;
use XHProf\Bridge\Mount;
use XHProf\Web\Http\Response as Answer;

/** XHProf's pages, for those who may see them. */
final class PagesController
{
    public function __construct(
        private readonly Mount $mount,
        private readonly PagesAccess $access,
        private readonly ?Profiler $profiler,
    ) {
    }

    /** @param string $page what follows the path of the pages, without the slash between */
    public function __invoke(Request $request, string $page): Response
    {
        // Neither a toolbar in these pages nor these pages among the requests of the site.
        $this->profiler?->disable();
        $this->access->check();
        $path = $request->getPathInfo();
        $answer = $this->mount->respond(
            match (true) {
                $page !== '' => "/$page",
                default => str_ends_with($path, '/') ? '/' : '',
            },
            $request->getMethod(),
            $request->query->all(),
            $request->request->all(),
            $request->cookies->all(),
            $request->server->all(),
            $_FILES,
        );

        return $this->answer($answer, substr($request->getBaseUrl() . $path, 0, -strlen($page) ?: null));
    }

    /** @param string $base of the pages */
    private function answer(Answer $answer, string $base): Response
    {
        $response = $answer->isStream()
            ? new StreamedResponse($answer->sendBody(...), $answer->status)
            : new Response($answer->content(), $answer->status);
        foreach ($answer->allHeaders() as $name => $value) {
            $response->headers->set($name, $value);
        }
        foreach ($answer->cookies as $line) {
            $response->headers->setCookie(Cookie::fromString(Mount::withPath($line, $base)));
        }

        return $response;
    }
}
