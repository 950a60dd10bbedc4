<?php

declare(strict_types=1);

namespace XHProf\Bridge\Laravel;

use Illuminate\Contracts\Foundation\Application;
use Illuminate\Http\Request;
use Symfony\Component\HttpFoundation\Cookie;
use Symfony\Component\HttpFoundation\File\UploadedFile;
use Symfony\Component\HttpFoundation\RedirectResponse;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpFoundation\StreamedResponse;
use XHProf\Bridge\Mount;
use XHProf\Web\Http\Response as Answer;

/** Controller of the pages. Authorize has decided who may see them. */
final class Pages
{
    public function __construct(private readonly Application $app)
    {
    }

    public function page(Request $request, string $page = ''): Response
    {
        if ($page === '') {
            // Not the path with a slash: web servers that take it away, as Laravel's own .htaccess does, would send it back here.
            $query = $request->server->getString('QUERY_STRING');

            return new RedirectResponse($this->base($request) . 'index' . ($query === '' ? '' : "?$query"));
        }

        return $this->answer($request, "/$page");
    }

    public function asset(Request $request, string $file): Response
    {
        return $this->open($request, "/assets/$file");
    }

    public function style(Request $request): Response
    {
        return $this->open($request, '/' . Mount::STYLE);
    }

    /** A file that is the same for everybody, where anybody may see the pages. */
    private function open(Request $request, string $path): Response
    {
        return $this->app->make(Authorize::class)->isOpen() ? $this->answer($request, $path) : new Response('', 404);
    }

    private function answer(Request $request, string $path): Response
    {
        // As it was sent: Laravel's middlewares have trimmed the parsed one, and made nulls of its empty texts.
        parse_str($request->server->getString('QUERY_STRING'), $query);
        $answer = $this->app->make(Mount::class)->respond(
            $path,
            $request->getRealMethod(),
            $query,
            $request->request->all(),
            $request->cookies->all(),
            $request->server->all(),
            self::files($request->files->all()),
            true,
        );

        return self::response($answer, !$request->isMethod('HEAD'), $this->base($request));
    }

    /** @return string where the pages are, with a slash at its end */
    private function base(Request $request): string
    {
        return $request->getBaseUrl() . '/' . $this->app->make(Settings::class)->path() . '/';
    }

    private static function response(Answer $answer, bool $withBody, string $base): Response
    {
        $response = $withBody && $answer->status !== 304
            ? new StreamedResponse($answer->sendBody(...), $answer->status)
            : new Response('', $answer->status);
        $cookies = $answer->cookies;
        foreach ($answer->allHeaders() as $name => $value) {
            if (strcasecmp($name, 'Set-Cookie') === 0) {
                $cookies[] = $value;
            } else {
                $response->headers->set($name, $value);
            }
        }
        foreach ($cookies as $cookie) {
            $response->headers->setCookie(Cookie::fromString(Mount::withPath($cookie, $base)));
        }

        return $response;
    }

    /**
     * @param array<array-key, mixed> $files
     * @return array<array-key, mixed> as $_FILES
     */
    private static function files(array $files): array
    {
        return array_map(static fn (mixed $file): array => $file instanceof UploadedFile ? [
            'name' => $file->getClientOriginalName(),
            'tmp_name' => $file->getPathname(),
            'size' => $file->isValid() ? (int) $file->getSize() : 0,
            'error' => $file->getError(),
        ] : ['name' => [], 'tmp_name' => []], $files);
    }
}
