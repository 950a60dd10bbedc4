<?php

declare(strict_types=1);

namespace XHProf\Format;

/** Reads quantities as people type them. */
final class QuantityParser
{
    private const TIMES = [
        '' => 1000, 'us' => 1, "\u{b5}s" => 1, "\u{3bc}s" => 1, 'ms' => 1000, 's' => 1000000, 'min' => 60000000,
    ];

    private const BYTES = ['' => 1, 'b' => 1, 'k' => 10, 'm' => 20, 'g' => 30, 't' => 40];

    /**
     * "200ms", "1.5 s", "300us", "2min"; a bare number is in milliseconds.
     *
     * @return int|null microseconds; null if the text is no time
     */
    public static function time(string $text): ?int
    {
        $pattern = '/\A\s*([0-9]{1,9}(?:[.,][0-9]{1,6})?)\s*(us|\x{b5}s|\x{3bc}s|ms|s|min|)\s*\z/u';
        if (preg_match($pattern, $text, $match) !== 1) {
            return null;
        }

        return (int) round((float) str_replace(',', '.', $match[1]) * self::TIMES[$match[2]]);
    }

    /**
     * Reads a time that has a unit. A bare number is refused: where settings are in microseconds, it could be meant so.
     *
     * @return int|null microseconds
     */
    public static function timeWithUnit(string $text): ?int
    {
        return preg_match('/[a-z]\s*\z/', $text) === 1 ? self::time($text) : null;
    }

    /**
     * "500M", "2 GB", "1048576".
     *
     * @return int|null bytes; null if the text is no size
     */
    public static function bytes(string $text): ?int
    {
        if (preg_match('/\A\s*([0-9]{1,12}(?:\.[0-9]{1,3})?)\s*(?:([kmgt])(?:i?b)?|b|)\s*\z/i', $text, $match) !== 1) {
            return null;
        }
        $unit = strtolower($match[2] ?? '');
        $bytes = (float) $match[1] * ($unit === '' ? 1 : 1 << self::BYTES[$unit]);

        return $bytes < 1 << 60 ? (int) $bytes : null;
    }

    /** @return float|null "5%" => 0.05; null without a "%": 0.05 may be meant for 5 % */
    public static function share(string $text): ?float
    {
        return preg_match('/\A([0-9]{1,6}(?:\.[0-9]{1,6})?) ?%\z/', $text, $match) === 1 ? (float) $match[1] / 100 : null;
    }

    /**
     * "2026-11-21", "2026-11-21 14:30", with or without seconds and with a T between; "today", "yesterday". In the local time zone,
     * unless a clock time says which: "2026-10-25 02:30+02:00", "...Z".
     *
     * @param bool $end the first moment after it
     *
     * @return float|null seconds since 1970; null if the text is no moment
     */
    public static function moment(string $text, bool $end = false): ?float
    {
        $word = strtolower(trim($text));
        if (in_array($word, ['today', 'yesterday'], true)) {
            $text = (new \DateTimeImmutable($word))->format('Y-m-d');
        }
        $pattern = '/\A\s*([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?'
            . '(?: ?(Z|[+-](?:0[0-9]|1[0-4]):?[0-5][0-9]))?)?\s*\z/';
        if (preg_match($pattern, $text, $match) !== 1 || !checkdate((int) $match[2], (int) $match[3], (int) $match[1])) {
            return null;
        }
        [$hour, $minute, $second] = [(int) ($match[4] ?? 0), (int) ($match[5] ?? 0), (int) ($match[6] ?? 0)];
        if ($hour > 23 || $minute > 59 || $second > 59) {
            return null;
        }
        $clock = sprintf('%02d:%02d:%02d', $hour, $minute, $second);
        $date = new \DateTimeImmutable("$match[1]-$match[2]-$match[3] $clock" . ($match[7] ?? ''));
        if ($end) {
            $date = $date->modify(($match[6] ?? '') !== '' ? '+1 second' : (isset($match[4]) ? '+1 minute' : '+1 day'));
        }

        return (float) $date->getTimestamp();
    }
}
