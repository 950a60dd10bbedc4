<?php

declare(strict_types=1);

namespace XHProf\Bridge\Drupal;

use Drupal\Core\Site\Settings;
use Symfony\Component\HttpFoundation\Request;
use XHProf\Bridge\NextRequest;
use XHProf\Bridge\Recorder;

/** The recording of the request that was asked for by a click: middleware begins it, the end of the request ends it. */
final class Recording
{
    private readonly Recorder $recorder;

    private bool $isAsked = false;

    public function __construct(?Recorder $recorder = null)
    {
        $this->recorder = $recorder ?? new Recorder();
    }

    /** Signs with the salt of settings.php. */
    public static function next(): NextRequest
    {
        try {
            return new NextRequest((string) Settings::getHashSalt());
        } catch (\RuntimeException) {
            // A site without a salt.
            return new NextRequest('');
        }
    }

    public function begin(Request $request): void
    {
        $cookie = $request->cookies->all()[NextRequest::COOKIE] ?? null;
        $this->isAsked = $cookie !== null && PathBelow::behind($request) === null && self::next()->take($cookie);
        if ($this->isAsked) {
            $this->recorder->begin(true);
        }
    }

    /** Whether this request was asked for: then its answer removes the cookie. */
    public function isAsked(): bool
    {
        return $this->isAsked;
    }

    /** @param string|null $route Drupal's name of it */
    public function end(Request $request, ?string $route): void
    {
        if ($this->isAsked) {
            $this->isAsked = false;
            $this->recorder->end($route === null || $route === '' ? null : $request->getMethod() . ' ' . $route);
        }
    }
}
