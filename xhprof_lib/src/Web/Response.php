<?php

declare(strict_types=1);

namespace XHProf\Web;

/** A finished answer. Every one of them carries the security headers. */
final class Response
{
    /** Only files of this site; no inline script or style, no framing, no foreign form target. */
    public const CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "
        . "connect-src 'self'; img-src 'self' data:; worker-src 'self'; base-uri 'none'; "
        . "form-action 'self'; frame-ancestors 'none'";

    private const SECURITY_HEADERS = [
        'Content-Security-Policy' => self::CONTENT_SECURITY_POLICY,
        'X-Content-Type-Options' => 'nosniff',
        'Referrer-Policy' => 'same-origin',
        'Cross-Origin-Opener-Policy' => 'same-origin',
        'Cross-Origin-Resource-Policy' => 'same-origin',
        'Cache-Control' => 'private, no-store',
    ];

    /**
     * @param array<string, string> $headers added to, or replacing, the security headers
     * @param list<string> $cookies values of Set-Cookie
     */
    private function __construct(
        public readonly int $status,
        public readonly string $body,
        public readonly array $headers,
        public readonly array $cookies = [],
    ) {
    }

    public static function html(string $body, int $status = 200): self
    {
        return new self($status, $body, ['Content-Type' => 'text/html; charset=utf-8']);
    }

    public static function text(string $body, int $status = 200): self
    {
        return new self($status, $body, ['Content-Type' => 'text/plain; charset=utf-8']);
    }

    /**
     * An image made from untrusted names. Opened on its own it runs no script; the style
     * attributes that an SVG drawing needs are all it may use.
     */
    public static function image(string $body, string $mimeType): self
    {
        return new self(200, $body, [
            'Content-Type' => $mimeType,
            'Content-Security-Policy' => "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
        ]);
    }

    /** @param string $url relative URL of this site */
    public static function redirect(string $url): self
    {
        return new self(302, '', ['Content-Type' => 'text/plain; charset=utf-8', 'Location' => $url]);
    }

    /**
     * After a form: the browser opens this page with GET, and reloading it sends nothing again.
     *
     * @param string $url relative URL of this site
     */
    public static function seeOther(string $url): self
    {
        return new self(303, '', ['Content-Type' => 'text/plain; charset=utf-8', 'Location' => $url]);
    }

    /** @param array<string, string> $headers */
    public function withHeaders(array $headers): self
    {
        return new self($this->status, $this->body, $headers + $this->headers, $this->cookies);
    }

    /**
     * A cookie for this server alone, which no script reads.
     *
     * @param string $value of A-Z a-z 0-9 . _ -; '' removes the cookie
     * @param bool $encrypted send it over HTTPS only
     * @param int|null $seconds null for as long as the browser is open
     */
    public function withCookie(string $name, string $value, bool $encrypted, ?int $seconds = null): self
    {
        $age = $value === '' ? '; Max-Age=0' : ($seconds === null ? '' : "; Max-Age=$seconds");
        $cookie = "$name=$value; Path=/$age; HttpOnly; SameSite=Strict" . ($encrypted ? '; Secure' : '');

        return new self($this->status, $this->body, $this->headers, [...$this->cookies, $cookie]);
    }

    /** @return array<string, string> */
    public function allHeaders(): array
    {
        return $this->headers + self::SECURITY_HEADERS;
    }

    /** @param bool $withBody false for a HEAD request */
    public function send(bool $withBody = true): void
    {
        header_remove('X-Powered-By');
        http_response_code($this->status);
        foreach ($this->allHeaders() as $name => $value) {
            header("$name: $value");
        }
        foreach ($this->cookies as $cookie) {
            header("Set-Cookie: $cookie", false);
        }
        if ($withBody) {
            echo $this->body;
        }
    }
}
