<?php

declare(strict_types=1);

namespace XHProf\Cli\Terminal;

/** Measures, cuts and pads text by its columns on a terminal. Input is valid UTF-8. */
final class TextFit
{
    /** Columns below which part of an item is not worth showing. */
    private const MIN_ITEM = 12;

    public static function width(string $text): int
    {
        return preg_match('/[\x80-\xFF]/', $text) === 1 ? mb_strwidth($text, 'UTF-8') : strlen($text);
    }

    /**
     * Cuts out the middle, because both ends of `Vendor\Package\Class::method` matter, the end more.
     *
     * @param int    $width columns, at least 1
     * @param string $mark  replaces the middle
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

    /**
     * Drops the last items of a list, because the first ones matter most; an item that fits by half is cut in its middle.
     *
     * @param non-empty-string $separator
     * @param int    $width columns, at least 1
     * @param string $mark  replaces the rest
     */
    public static function shortenList(string $text, string $separator, int $width, string $mark = '…'): string
    {
        $items = explode($separator, $text);
        if (count($items) === 1 || self::width($text) <= $width) {
            return self::shorten($text, $width, $mark);
        }
        $end = $separator . $mark;
        $shown = '';
        foreach ($items as $index => $item) {
            $before = $index === 0 ? '' : $shown . $separator;
            $after = $index === count($items) - 1 ? '' : $end;
            $room = $width - self::width($before . $after);
            if ($index === 0 || self::width($item) <= $room) {
                $shown = $before . self::shorten($item, max(1, $room), $mark);
                continue;
            }
            if ($room >= self::MIN_ITEM) {
                $shown = $before . self::shorten($item, $room, $mark);
                $end = $after;
            }
            break;
        }

        return self::shorten($shown . $end, $width, $mark);
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
