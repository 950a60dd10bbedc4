<?php

declare(strict_types=1);

namespace XHProf\Web\Http;

/** A finished answer. Every one of them carries the security headers. */
final class Response
{
    /** Only files of this site; no inline script or style, no framing, no foreign form target. */
    public const CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "
        . "connect-src 'self'; img-src 'self' data:; worker-src 'self'; base-uri 'none'; "
        . "form-action 'self'; frame-ancestors 'none'";

    /** Bytes of a large body handled at a time. */
    private const CHUNK = 1 << 18;

    private const SECURITY_HEADERS = [
        'Content-Security-Policy' => self::CONTENT_SECURITY_POLICY,
        'X-Content-Type-Options' => 'nosniff',
        'Referrer-Policy' => 'same-origin',
        'Cross-Origin-Opener-Policy' => 'same-origin',
        'Cross-Origin-Resource-Policy' => 'same-origin',
        'Cache-Control' => 'private, no-store',
    ];

    /** Revalidated each time, with a short answer: modules import each other without a version. */
    private const FOR_ASSETS = [
        'Cache-Control' => 'no-cache',
        'Content-Security-Policy' => '',
        'Cross-Origin-Opener-Policy' => '',
        'Referrer-Policy' => '',
    ];

    private const JSON = ['Content-Type' => 'application/json'];

    private const BYTES = ['Content-Type' => 'application/octet-stream'];

    /**
     * @param array<string, string> $headers added to, or replacing, the security headers; '' for none of that name
     * @param list<string> $cookies values of Set-Cookie
     * @param bool $gzip compress the body on its way
     * @param \Closure(\Closure(string): void): void|null $stream passes the body on instead, piece by piece
     */
    private function __construct(
        public readonly int $status,
        public readonly string $body,
        public readonly array $headers,
        public readonly array $cookies = [],
        public readonly bool $gzip = false,
        private readonly ?\Closure $stream = null,
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

    public static function error(int $status, string $message): self
    {
        return self::text("$message\n", $status);
    }

    public static function json(string $body, int $status = 200): self
    {
        return new self($status, $body, self::JSON + self::length(strlen($body)));
    }

    public static function bytes(string $body): self
    {
        return new self(200, $body, self::BYTES + self::length(strlen($body)));
    }

    /**
     * @param \Closure(\Closure(string): void): void $write passes its content on, piece by piece
     * @param int $bytes of all pieces
     */
    public static function byteStream(\Closure $write, int $bytes): self
    {
        return new self(200, '', self::BYTES + self::length($bytes), [], false, $write);
    }

    /** @param \Closure(\Closure(string): void): void $write passes its content on, piece by piece */
    public static function jsonStream(\Closure $write): self
    {
        return new self(200, '', self::JSON, [], false, $write);
    }

    /**
     * Of a body that may be compressed on its way no Content-Length can be known before, and a reader wants to see the end.
     *
     * @return array<string, string>
     */
    private static function length(int $count): array
    {
        return ['X-XHProf-Bytes' => (string) $count];
    }

    /**
     * A file to be saved, not shown: nothing in it runs on this site.
     *
     * @param \Closure(\Closure(string): void): void $write passes its content on, piece by piece
     * @param string $fileName of letters, digits, dots, "_" and "-"
     */
    public static function download(\Closure $write, string $mimeType, string $fileName): self
    {
        return new self(200, '', [
            // HTML from a run, opened here, would run as a page of this site.
            'Content-Type' => $mimeType === 'text/html' ? 'application/octet-stream' : $mimeType,
            'Content-Disposition' => 'attachment; filename="' . preg_replace('/[^A-Za-z0-9._-]/', '_', $fileName) . '"',
            'Content-Security-Policy' => "default-src 'none'; frame-ancestors 'none'; sandbox",
        ], [], false, $write);
    }

    /** A file of the pages themselves, which may run: a worker has the policy of its own file, not of its page. */
    public static function asset(string $file, string $mimeType, int $bytes): self
    {
        $write = static function (\Closure $send) use ($file): void {
            for ($open = fopen($file, 'r'); $open !== false && !feof($open);) {
                $send((string) fread($open, self::CHUNK));
            }
        };

        return new self(200, '', self::FOR_ASSETS + [
            'Content-Type' => $mimeType,
            'Content-Length' => (string) $bytes,
        ], [], false, $write);
    }

    /** An asset that the client has already. */
    public static function sameAsset(): self
    {
        return new self(304, '', self::FOR_ASSETS);
    }

    public static function notModified(): self
    {
        return new self(304, '', self::JSON);
    }

    /**
     * An image made from untrusted names. Opened on its own it runs no script; it may use only the style
     * attributes that an SVG drawing needs.
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
     * After a form: the browser opens this page with GET, and reloading it does not send the form again.
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
        $headers += $this->headers;

        return new self($this->status, $this->body, $headers, $this->cookies, $this->gzip, $this->stream);
    }

    /**
     * A cookie for these pages alone, which no script reads: without a path browsers send it to the folder of the page that set it.
     *
     * @param string $value of A-Z a-z 0-9 . _ -; '' removes the cookie
     * @param bool $encrypted send it over HTTPS only
     * @param int|null $seconds null for as long as the browser is open
     */
    public function withCookie(string $name, string $value, bool $encrypted, ?int $seconds = null): self
    {
        $age = $value === '' ? '; Max-Age=0' : ($seconds === null ? '' : "; Max-Age=$seconds");
        $cookie = "$name=$value$age; HttpOnly; SameSite=Strict" . ($encrypted ? '; Secure' : '');

        $cookies = [...$this->cookies, $cookie];

        return new self($this->status, $this->body, $this->headers, $cookies, $this->gzip, $this->stream);
    }

    /** @param string $line all of a Set-Cookie, for a cookie of the program that shows the pages */
    public function withCookieLine(string $line): self
    {
        return new self($this->status, $this->body, $this->headers, [...$this->cookies, $line], $this->gzip, $this->stream);
    }

    /** Whether its body is made while it is sent: it may be large. */
    public function isStream(): bool
    {
        return $this->stream !== null;
    }

    /** Compressed, if the client accepts that and is not on this machine, where every connection is fast. */
    public function compressedFor(Request $request): self
    {
        $isNear = preg_match('/\A(?:127\.|::1\z)/', $request->server('REMOTE_ADDR')) === 1
            && !$request->isForwarded();
        $gzip = !$isNear && $this->status === 200 && function_exists('deflate_init')
            && preg_match('/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|\z))/i', $request->server('HTTP_ACCEPT_ENCODING')) === 1
            && !filter_var(ini_get('zlib.output_compression'), FILTER_VALIDATE_BOOL);
        $headers = ['Vary' => 'Accept-Encoding'] + ($gzip ? ['Content-Encoding' => 'gzip'] : []) + $this->headers;

        return new self($this->status, $this->body, $headers, $this->cookies, $gzip, $this->stream);
    }

    /** @return array<string, string> */
    public function allHeaders(): array
    {
        return array_filter($this->headers + self::SECURITY_HEADERS, static fn (string $value): bool => $value !== '');
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
        if ($withBody && $this->status !== 304) {
            $this->sendBody();
        }
    }

    /**
     * The same answer, its body made within a function, which calls the one that it is given.
     *
     * @param \Closure(\Closure(): void): void $within
     */
    public function within(\Closure $within): self
    {
        $stream = $this->stream;

        return $stream === null ? $this : new self(
            $this->status,
            $this->body,
            $this->headers,
            $this->cookies,
            $this->gzip,
            static function (\Closure $send) use ($stream, $within): void {
                $within(static fn () => $stream($send));
            },
        );
    }

    /** The whole body, not compressed. */
    public function content(): string
    {
        if ($this->stream === null) {
            return $this->body;
        }
        $body = '';
        ($this->stream)(static function (string $piece) use (&$body): void {
            $body .= $piece;
        });

        return $body;
    }

    /** Writes the body without the headers. */
    public function sendBody(): void
    {
        $this->passBody(static function (string $piece): void {
            echo $piece;
        });
    }

    /**
     * The body as it is sent, which `gzip` has compressed.
     *
     * @param \Closure(string): void $send is given each piece
     */
    public function passBody(\Closure $send): void
    {
        if ($this->stream === null && !$this->gzip) {
            $send($this->body);

            return;
        }
        $deflate = $this->gzip ? deflate_init(ZLIB_ENCODING_GZIP, ['level' => 1]) : false;
        $pass = $deflate === false ? $send : static function (string $piece) use ($deflate, $send): void {
            $send((string) deflate_add($deflate, $piece, ZLIB_NO_FLUSH));
        };
        if ($this->stream !== null) {
            ($this->stream)($pass);
        } else {
            for ($at = 0; $at < strlen($this->body); $at += self::CHUNK) {
                $pass(substr($this->body, $at, self::CHUNK));
            }
        }
        if ($deflate !== false) {
            $send((string) deflate_add($deflate, '', ZLIB_FINISH));
        }
    }
}
