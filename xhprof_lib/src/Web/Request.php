<?php

declare(strict_types=1);

namespace XHProf\Web;

/**
 * The parts of an HTTP request that the pages read. Every value comes from outside: nothing here
 * is trusted, and a parameter given as an array where text is wanted is an error, not a warning.
 */
final class Request
{
    /**
     * @param string $method HTTP method in upper case
     * @param array<int|string, mixed> $query decoded query string, raw bytes
     * @param string $pathInfo what the URL says after the script's name
     */
    public function __construct(
        public readonly string $method,
        private readonly array $query,
        public readonly string $pathInfo = '',
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
        );
    }

    /** The same request with one parameter replaced. */
    public function with(string $name, string $value): self
    {
        return new self($this->method, [$name => $value] + $this->query, $this->pathInfo);
    }

    /** True when the parameter is present and not empty. */
    public function has(string $name): bool
    {
        return ($this->query[$name] ?? '') !== '';
    }

    /** @throws HttpError 400 when the parameter is an array */
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
        $values = (array) ($this->query[$name] ?? []);

        return array_values(array_filter($values, static fn (mixed $v): bool => is_string($v) && $v !== ''));
    }
}
