<?php

declare(strict_types=1);

namespace XHProf\Bridge\Drupal;

use Symfony\Component\HttpFoundation\Cookie;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\HttpKernelInterface;
use XHProf\Bridge\NextRequest;

/** Begins the recording before Drupal's cache of pages, and removes the cookie that has asked for it. */
final class RecordingMiddleware implements HttpKernelInterface
{
    public function __construct(private readonly HttpKernelInterface $kernel, private readonly Recording $recording)
    {
    }

    public function handle(Request $request, int $type = self::MAIN_REQUEST, bool $catch = true): Response
    {
        if ($type === self::MAIN_REQUEST) {
            $this->recording->begin($request);
        }
        $response = $this->kernel->handle($request, $type, $catch);
        if ($type === self::MAIN_REQUEST && $this->recording->isAsked()) {
            $response->headers->setCookie(Cookie::fromString(NextRequest::clearCookie($request->isSecure())));
        }

        return $response;
    }
}
