<?php

declare(strict_types=1);

namespace XHProf\Bridge\Drupal;

use Symfony\Component\HttpFoundation\Cookie;
use Symfony\Component\HttpFoundation\RedirectResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpFoundation\StreamedResponse;
use XHProf\Bridge\Extension;
use XHProf\Bridge\Mount;

/** XHProf's pages, and the link that asks for the next request: the routes of the module let only those in who may see runs. */
final class PagesController
{
    public function __construct(private readonly ?string $folder = null)
    {
    }

    public function pages(Request $request): Response
    {
        $behind = (string) PathBelow::behind($request);
        $answer = (new Mount($this->folder))->respond(
            $behind,
            $request->getMethod(),
            $request->query->all(),
            $request->request->all(),
            $request->cookies->all(),
            $request->server->all(),
            $_FILES,
        );
        $response = $answer->isStream()
            ? new StreamedResponse($answer->sendBody(...), $answer->status)
            : new Response($answer->content(), $answer->status);
        foreach ($answer->allHeaders() as $name => $value) {
            $response->headers->set($name, $value);
        }
        $base = substr($request->getBaseUrl() . $request->getPathInfo(), 0, -strlen($behind) ?: null) . '/';
        foreach ($answer->cookies as $line) {
            $response->headers->setCookie(Cookie::fromString(Mount::withPath($line, $base)));
        }

        return $response;
    }

    /** The next request is recorded; the page that has the link is opened again. Drupal has looked at the link's token. */
    public function next(Request $request): Response
    {
        $problem = Extension::problem();
        if ($problem !== null) {
            return new Response("$problem\n", 409, [
                'Content-Type' => 'text/plain; charset=utf-8', 'Cache-Control' => 'no-store',
            ]);
        }
        $response = new RedirectResponse($this->back($request));
        $response->headers->set('Cache-Control', 'no-store');
        $response->headers->setCookie(Cookie::fromString(Recording::next()->setCookie($request->isSecure())));

        return $response;
    }

    /** @return string the page of this site that was open; the front page where the browser does not name it */
    private function back(Request $request): string
    {
        $referrer = (string) $request->headers->get('referer');
        $site = $request->getSchemeAndHttpHost() . '/';

        return str_starts_with($referrer, $site) ? $referrer : $request->getBaseUrl() . '/';
    }
}
