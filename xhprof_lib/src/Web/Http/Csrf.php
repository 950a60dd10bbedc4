<?php

declare(strict_types=1);

namespace XHProf\Web\Http;

/**
 * Distinguishes a form that a user sent from these pages from one that another site sent in the user's name: a random token is
 * in a cookie, which no other site can read, and in the form. If the browser reports the site that sent the form, it must be
 * this one: other ports of this machine share its cookies.
 *
 * How to use it: a form gets `<input type="hidden" name="csrf" value="{{ csrf.token }}">`: every template has `csrf`.
 * App::index() calls check() before any page sees a POST, and adds the cookie to the answer.
 */
final class Csrf
{
    public const FIELD = 'csrf';

    private const COOKIE = 'xhprof_csrf';

    private ?string $made = null;

    public function __construct(private readonly Request $request)
    {
    }

    /** Value of the form's field `csrf`. */
    public function token(): string
    {
        return $this->known() ?? $this->made ??= bin2hex(random_bytes(32));
    }

    /**
     * Lets only forms of these pages through.
     *
     * @throws HttpError 403, 413
     */
    public function check(): void
    {
        $request = $this->request;
        if ($request->isTooLarge()) {
            throw new HttpError(413, "The form is larger than the server takes (PHP's post_max_size).");
        }
        if (!$this->isOwnSite()) {
            throw new HttpError(403, 'This form was sent by another site.');
        }
        $known = $this->known();
        if ($known === null || !hash_equals($known, $request->posted(self::FIELD))) {
            throw new HttpError(403, 'This form is out of date, or cookies are off: reload the page and send it again.');
        }
    }

    /** The answer with the cookie, if its page has a form and the browser has no cookie yet. */
    public function protect(Response $response): Response
    {
        if ($this->made === null) {
            return $response;
        }

        return $response->withCookie(self::COOKIE, $this->made, $this->request->isEncrypted());
    }

    private function known(): ?string
    {
        $token = $this->request->cookie(self::COOKIE);

        return preg_match('/\A[0-9a-f]{64}\z/', $token) === 1 ? $token : null;
    }

    /** A browser that does not report the site is old, or no browser: then the token alone counts. */
    private function isOwnSite(): bool
    {
        $fetchSite = $this->request->server('HTTP_SEC_FETCH_SITE');
        if ($fetchSite !== '') {
            return $fetchSite === 'same-origin';
        }
        $origin = $this->request->server('HTTP_ORIGIN');
        if ($origin === '') {
            return true;
        }
        $host = (string) preg_replace('~\Ahttps?://~i', '', $origin);

        return $host !== $origin && strcasecmp($host, $this->request->server('HTTP_HOST')) === 0;
    }
}
