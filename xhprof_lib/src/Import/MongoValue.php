<?php

declare(strict_types=1);

namespace XHProf\Import;

/**
 * Numbers and dates of MongoDB's JSON, as mongoexport and PHP's two drivers have written them.
 *
 * @link https://www.mongodb.com/docs/manual/reference/mongodb-extended-json/
 *
 * @internal
 */
final class MongoValue
{
    private const NUMBERS = ['$numberInt', '$numberLong', '$numberDouble', '$numberDecimal'];

    /** A date and a time of ISO 8601, or as databases write it; without a zone it is UTC. */
    private const ISO = '/\A[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?'
        . '(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?\z/';

    /** @return mixed the number that a value wraps; else the value */
    public static function plain(mixed $value): mixed
    {
        foreach (is_array($value) && count($value) === 1 ? self::NUMBERS : [] as $key) {
            if (is_numeric($value[$key] ?? null)) {
                return $value[$key];
            }
        }

        return $value;
    }

    /** @return float|null seconds since 1970; null if it is no time */
    public static function time(mixed $value): ?float
    {
        $value = self::plain($value);
        if (is_numeric($value)) {
            return (float) $value;
        }
        if (is_string($value)) {
            return self::ofText($value);
        }
        if (!is_array($value)) {
            return null;
        }
        if (isset($value['$date'])) {
            $date = self::plain($value['$date']);

            // A number is of milliseconds.
            return is_numeric($date) ? (float) $date / 1e3 : self::time($date);
        }
        if (isset($value['$timestamp'])) {
            return is_array($value['$timestamp']) ? self::time($value['$timestamp']['t'] ?? null) : null;
        }
        $seconds = self::plain($value['sec'] ?? null);
        $microseconds = self::plain($value['usec'] ?? 0);

        return is_numeric($seconds)
            ? (float) $seconds + (is_numeric($microseconds) ? (float) $microseconds : 0.0) / 1e6
            : null;
    }

    private static function ofText(string $text): ?float
    {
        if (preg_match(self::ISO, $text) !== 1) {
            return null;
        }
        try {
            return (float) (new \DateTimeImmutable($text, new \DateTimeZone('UTC')))->format('U.u');
        } catch (\Exception) {
            return null;
        }
    }
}
