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
        'Cache-Control' => 'private, no-store',
    ];

    /** @param array<string, string> $headers added to, or replacing, the security headers */
    private function __construct(
        public readonly int $status,
        public readonly string $body,
        public readonly array $headers,
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

    /** @param array<string, string> $headers */
    public function withHeaders(array $headers): self
    {
        return new self($this->status, $this->body, $headers + $this->headers);
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
        if ($withBody) {
            echo $this->body;
        }
    }
}
