<?php

declare(strict_types=1);

namespace XHProf\Run;

use XHProf\Stats\Buckets;

/** Values of metadata from a file: those of the right type, within bounds; what is missing or wrong is null, or empty. */
final class MetaValues
{
    /** The last second of the year 9999: the last date of four digits. */
    private const LAST_SECOND = 253402300799;

    /** Larger counts, 285 years in microseconds, are not valid; times 1000 it still is an integer. */
    private const LARGEST = 1 << 53;

    /** @param array<array-key, mixed> $data */
    public function __construct(private readonly array $data)
    {
    }

    public function text(string $key): ?string
    {
        return is_string($this->data[$key] ?? null) ? $this->data[$key] : null;
    }

    public function bool(string $key): ?bool
    {
        return is_bool($this->data[$key] ?? null) ? $this->data[$key] : null;
    }

    public function count(string $key): ?int
    {
        return self::isCount($this->data[$key] ?? null) ? $this->data[$key] : null;
    }

    /** @return int|null null also where it is below 0 */
    public function natural(string $key): ?int
    {
        $count = $this->count($key);

        return $count === null || $count < 0 ? null : $count;
    }

    /** @return float|null from 0 to 1 */
    public function share(string $key): ?float
    {
        $share = $this->data[$key] ?? null;

        return (is_int($share) || is_float($share)) && $share >= 0 && $share <= 1 ? (float) $share : null;
    }

    /**
     * @template T of string
     *
     * @param list<T> $known
     *
     * @return T|null
     */
    public function among(string $key, array $known): ?string
    {
        $at = array_search($this->data[$key] ?? null, $known, true);

        return $at === false ? null : $known[$at];
    }

    /** @return array<array-key, mixed> */
    public function list(string $key): array
    {
        return is_array($this->data[$key] ?? null) ? $this->data[$key] : [];
    }

    /** @return array<string, string> the entries of a list that are texts with a name */
    public function texts(string $key): array
    {
        /** @var array<string, string> */
        return array_filter($this->list($key), static fn ($value, $name): bool => is_string($value) && is_string($name), 1);
    }

    /** @return string|null so many hexadecimal digits */
    public function hexadecimal(string $key, int $digits): ?string
    {
        $text = $this->text($key);

        return $text !== null && preg_match('/\A[0-9a-f]{' . $digits . '}\z/', $text) === 1 ? $text : null;
    }

    /** @return float|null seconds since 1970; null if it is no time */
    public static function time(mixed $time): ?float
    {
        return (is_float($time) || is_int($time)) && $time > 0 && $time <= self::LAST_SECOND ? (float) $time : null;
    }

    /** @phpstan-assert-if-true int $value */
    public static function isCount(mixed $value): bool
    {
        return is_int($value) && abs($value) <= self::LARGEST;
    }

    /** Saturates: files may hold anything. */
    public static function sum(int $a, int $b): int
    {
        return max(-Buckets::LARGEST, min(Buckets::LARGEST, $a + $b));
    }
}
