<?php

declare(strict_types=1);

namespace XHProf\Format;

/** Function names are bytes from an untrusted file. This class makes them fit for a terminal line or a JSON text. */
final class Text
{
    /** One well-formed UTF-8 character. */
    private const UTF8 = '(?:[\x00-\x7F]|[\xC2-\xDF][\x80-\xBF]|\xE0[\xA0-\xBF][\x80-\xBF]'
        . '|[\xE1-\xEC\xEE\xEF][\x80-\xBF]{2}|\xED[\x80-\x9F][\x80-\xBF]|\xF0[\x90-\xBF][\x80-\xBF]{2}'
        . '|[\xF1-\xF3][\x80-\xBF]{3}|\xF4[\x80-\x8F][\x80-\xBF]{2})';

    /** Control characters (C1 too), line separators and direction marks: the same set as the extension's xhprof_unprintable(). */
    private const UNSAFE = '[\x00-\x1F\x7F]|\xC2[\x80-\x9F]|\xD8\x9C|\xE2\x80[\x8E\x8F\xA8-\xAE]|\xE2\x81[\xA6-\xA9]';

    /** Valid UTF-8 on one line: bytes that would not print become "\xNN". Does not escape HTML. */
    public static function printable(string $text): string
    {
        return self::escape('/' . self::UNSAFE . '/', self::utf8($text));
    }

    /** Bytes that are not UTF-8 become "\xNN", as the extension writes them into JSON. */
    public static function utf8(string $text): string
    {
        return preg_match('//u', $text) === 1
            ? $text
            : self::escape('/' . self::UTF8 . '++(*SKIP)(*FAIL)|[\x80-\xFF]/', $text);
    }

    private static function escape(string $pattern, string $text): string
    {
        return preg_replace_callback(
            $pattern,
            static fn (array $match): string => '\x' . implode('\x', str_split(strtoupper(bin2hex("$match[0]")), 2)),
            $text,
        ) ?? '';
    }
}
