<?php

declare(strict_types=1);

namespace XHProf\Web\Http;

/**
 * The parts of an HTTP request that the pages read. Every value is untrusted input; a parameter given as an array instead of
 * text is an error, not a warning.
 */
final class Request
{
    /** Entries of $_SERVER: headers of proxies, caches and balancers, with any ending. */
    private const FORWARDED = '/\AHTTP_(?:VIA\z|(?:TRUE|CF|CDN|FASTLY|FLY|DO|INCAP|AKAMAI|SURROGATE|FRONT|COMING|MAX|WL)_'
        . '|(?:X_)?(?:FORWARDED|ORIGINAL|REAL|CLIENT|CLUSTER|REMOTE|PROXY|PROXIED|ENVOY|HTTPS|SSL)(?:_|\z)'
        . '|X_(?:HOST|SCHEME|URL|REWRITE|ARR|AMZ|AMZN|AZURE|APPENGINE|CLOUD|COMING|VARNISH|VERCEL|TRAEFIK)(?:_|\z))/';

    /**
     * @param string $method HTTP method in upper case
     * @param array<int|string, mixed> $query decoded query string, raw bytes
     * @param string $pathInfo part of the URL after the script's name
     * @param array<int|string, mixed> $post decoded form, raw bytes
     * @param array<int|string, mixed> $cookies
     * @param array<int|string, mixed> $server as $_SERVER
     * @param array<int|string, mixed> $files as $_FILES
     * @param bool $hasKeptFiles the caller itself has written the files that $files names, so PHP need not know them as uploads
     * @param array<string, string> $settings of a program that has these pages within its own: before the environment's
     */
    public function __construct(
        public readonly string $method,
        private readonly array $query,
        public readonly string $pathInfo = '',
        private readonly array $post = [],
        private readonly array $cookies = [],
        private readonly array $server = [],
        private readonly array $files = [],
        private readonly bool $hasKeptFiles = false,
        private readonly array $settings = [],
    ) {
    }

    public static function fromGlobals(): self
    {
        $method = $_SERVER['REQUEST_METHOD'] ?? 'GET';
        $pathInfo = $_SERVER['PATH_INFO'] ?? '';

        return new self(
            strtoupper(is_string($method) ? $method : 'GET'),
            $_GET,
            is_string($pathInfo) ? $pathInfo : '',
            $_POST,
            $_COOKIE,
            $_SERVER,
            $_FILES,
        );
    }

    /** The same request with one parameter replaced. */
    public function with(string $name, string $value): self
    {
        $query = [$name => $value] + $this->query;

        return $this->remade($query, $this->pathInfo, $this->settings);
    }

    /** The same request with another part of the URL after the script's name. */
    public function withPathInfo(string $pathInfo): self
    {
        return $this->remade($this->query, $pathInfo, $this->settings);
    }

    /** @param array<string, string> $settings that count before those of the environment: see setting() */
    public function withSettings(array $settings): self
    {
        return $this->remade($this->query, $this->pathInfo, $settings + $this->settings);
    }

    /**
     * @param array<int|string, mixed> $query
     * @param array<string, string> $settings
     */
    private function remade(array $query, string $pathInfo, array $settings): self
    {
        return new self(
            $this->method,
            $query,
            $pathInfo,
            $this->post,
            $this->cookies,
            $this->server,
            $this->files,
            $this->hasKeptFiles,
            $settings,
        );
    }

    /** @return array<int|string, mixed> all parameters of the query, as they came */
    public function parameters(): array
    {
        return $this->query;
    }

    /** True when the parameter is present and not empty. */
    public function has(string $name): bool
    {
        return ($this->query[$name] ?? '') !== '';
    }

    /** @throws HttpError 400 if the parameter is an array */
    public function text(string $name, string $default = ''): string
    {
        $value = $this->query[$name] ?? $default;
        if (!is_string($value)) {
            throw new HttpError(400, "The parameter \"$name\" must be given once, as text.");
        }

        return $value;
    }

    /** Text after trimming, for fields that a person types into. */
    public function typed(string $name): string
    {
        return trim($this->text($name));
    }

    /** A whole number of at least $min; anything else is the default (old links stay usable). */
    public function number(string $name, int $default, int $min = 1): int
    {
        $value = filter_var($this->text($name), FILTER_VALIDATE_INT);

        return is_int($value) && $value >= $min ? $value : $default;
    }

    /** A finite number of at least 0, or the default. */
    public function fraction(string $name, float $default): float
    {
        $value = filter_var($this->text($name), FILTER_VALIDATE_FLOAT);

        return is_float($value) && is_finite($value) && $value >= 0.0 ? $value : $default;
    }

    /** True for 1, true, yes and on, as the classic pages read their flags. */
    public function flag(string $name, bool $default = false): bool
    {
        return $this->has($name)
            ? filter_var($this->text($name), FILTER_VALIDATE_BOOL)
            : $default;
    }

    /**
     * A parameter that may be repeated (`pick[]=a&pick[]=b`).
     *
     * @return list<string>
     */
    public function values(string $name): array
    {
        return self::texts($this->query[$name] ?? []);
    }

    /**
     * A field of a form sent by POST. It expresses the user's will only after Csrf::check().
     *
     * @throws HttpError 400 if the field is an array
     */
    public function posted(string $name): string
    {
        $value = $this->post[$name] ?? '';
        if (!is_string($value)) {
            throw new HttpError(400, "The field \"$name\" must be given once, as text.");
        }

        return $value;
    }

    /**
     * A field of a form sent by POST that may be repeated.
     *
     * @return list<string>
     */
    public function postedValues(string $name): array
    {
        return self::texts($this->post[$name] ?? []);
    }

    /** True when PHP dropped the form because it is larger than post_max_size. */
    public function isTooLarge(): bool
    {
        return $this->method === 'POST' && $this->post === [] && $this->files === []
            && (int) $this->server('CONTENT_LENGTH') > 0
            && preg_match('~\A(?:application/x-www-form-urlencoded|multipart/form-data)~i', $this->server('CONTENT_TYPE')) === 1;
    }

    /**
     * A file sent by POST, as PHP describes it: read it only from tmp_name, and only if isUploaded() accepts it.
     *
     * @return array{name: string, tmp_name: string, size: int, error: int}|null null if the form has no such field
     * @throws HttpError 400 for several files in one field
     */
    public function upload(string $name): ?array
    {
        $file = $this->files[$name] ?? null;
        if (!is_array($file)) {
            return null;
        }
        $name = $file['name'] ?? null;
        $path = $file['tmp_name'] ?? null;
        if (!is_string($name) || !is_string($path)) {
            throw new HttpError(400, 'Send one file at a time.');
        }

        return ['name' => $name, 'tmp_name' => $path, 'size' => (int) $file['size'], 'error' => (int) $file['error']];
    }

    /** Whether a path is that of a file which this request brought, and not one that its sender has named. */
    public function isUploaded(string $path): bool
    {
        return $this->hasKeptFiles ? is_file($path) : is_uploaded_file($path);
    }

    public function cookie(string $name): string
    {
        $value = $this->cookies[$name] ?? '';

        return is_string($value) ? $value : '';
    }

    /** An entry of $_SERVER, like "HTTP_ORIGIN"; '' if there is none. */
    public function server(string $name): string
    {
        $value = $this->server[$name] ?? '';

        return is_scalar($value) ? (string) $value : '';
    }

    /** A setting of the operator's: of the program that shows the pages, in the environment, or a parameter of the web server. */
    public function setting(string $name): string
    {
        $value = getenv($name);

        return $this->settings[$name] ?? (is_string($value) && $value !== '' ? $value : $this->server($name));
    }

    /** Whether a proxy reports that the request comes from elsewhere than its connection. */
    public function isForwarded(): bool
    {
        return preg_grep(self::FORWARDED, array_map(strval(...), array_keys($this->server))) !== [];
    }

    /**
     * Whether the request comes from these pages or from a user who opens a page: another site may link here, but neither embed
     * a page nor let it work in its visitor's name. Browsers report this; a client that does not is no browser, or an old one.
     * Forms have Csrf.
     */
    public function isOfThisSite(): bool
    {
        return $this->method === 'POST' || in_array($this->server('HTTP_SEC_FETCH_SITE'), ['', 'none', 'same-origin'], true)
            || ($this->server('HTTP_SEC_FETCH_MODE') === 'navigate' && $this->server('HTTP_SEC_FETCH_DEST') === 'document');
    }

    /** The port of the address that was opened, if it names one. */
    public function port(): ?int
    {
        return preg_match('/:([0-9]{1,5})\z/', $this->server('HTTP_HOST'), $match) === 1 ? (int) $match[1] : null;
    }

    /** The relative URL of the same page without one parameter. */
    public function urlWithout(string $parameter): string
    {
        [$path, $query] = explode('?', $this->server('REQUEST_URI'), 2) + [1 => ''];
        $page = substr($path, (int) strrpos($path, '/') + 1);
        $left = preg_grep('/\A' . preg_quote($parameter, '/') . '(?:=|\z)/', explode('&', $query), PREG_GREP_INVERT) ?: [];
        $left = preg_replace('/[^!-~]/', '', implode('&', $left));

        return (preg_match('/\A[a-z]+\.php\z/', $page) === 1 ? $page : './') . ($left === '' ? '' : "?$left");
    }

    /** True over HTTPS, also if a proxy in front claims it: it only makes cookies stricter. */
    public function isEncrypted(): bool
    {
        return !in_array(strtolower($this->server('HTTPS')), ['', 'off'], true)
            || strtolower($this->server('HTTP_X_FORWARDED_PROTO')) === 'https';
    }

    /** @return list<string> */
    private static function texts(mixed $values): array
    {
        return array_values(array_filter((array) $values, static fn (mixed $v): bool => is_string($v) && $v !== ''));
    }
}
