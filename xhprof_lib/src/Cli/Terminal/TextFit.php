<?php

declare(strict_types=1);

namespace XHProf\Cli\Terminal;

/** Measures, cuts and pads text by the columns that it takes on a terminal. Input is valid UTF-8. */
final class TextFit
{
    public static function width(string $text): int
    {
        return preg_match('/[\x80-\xFF]/', $text) === 1 ? mb_strwidth($text, 'UTF-8') : strlen($text);
    }

    /**
     * Cuts out the middle, for both ends of `Vendor\Package\Class::method` tell something; the end tells more.
     *
     * @param int    $width columns, at least 1
     * @param string $mark  put where the middle was
     */
    public static function shorten(string $text, int $width, string $mark = '…'): string
    {
        if (self::width($text) <= $width) {
            return $text;
        }
        $room = $width - self::width($mark);
        if ($room < 2) {
            return self::head($text, $width);
        }
        $tail = intdiv($room * 3, 5);

        return self::head($text, $room - $tail) . $mark . self::tail($text, $tail);
    }

    public static function padLeft(string $text, int $width): string
    {
        return str_repeat(' ', max(0, $width - self::width($text))) . $text;
    }

    public static function padRight(string $text, int $width): string
    {
        return $text . str_repeat(' ', max(0, $width - self::width($text)));
    }

    private static function head(string $text, int $width): string
    {
        return mb_strimwidth($text, 0, $width, '', 'UTF-8');
    }

    private static function tail(string $text, int $width): string
    {
        $start = max(0, mb_strlen($text, 'UTF-8') - $width);
        $tail = mb_substr($text, $start, null, 'UTF-8');
        while (self::width($tail) > $width) {
            $tail = mb_substr($tail, 1, null, 'UTF-8');
        }

        return $tail;
    }
}
