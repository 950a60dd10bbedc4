<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Format\JsonText;
use XHProf\Format\Text;

/** Names of functions are bytes; most formats need UTF-8, some a single line. Other bytes become "\xNN". */
final class Utf8Names
{
    /** Valid UTF-8 stays as it is, line breaks too. */
    public static function utf8(string $name): string
    {
        return Text::utf8($name);
    }

    /**
     * UTF-8 on one line.
     *
     * @param string $separator a character of the format that must not be in a name; '' for none
     */
    public static function line(string $name, string $separator = ''): string
    {
        $name = Text::printable($name);

        return $separator === '' ? $name : str_replace($separator, sprintf('\x%02X', ord($separator)), $name);
    }

    /** The name as a JSON text, quotes included. */
    public static function json(string $name): string
    {
        return self::data(self::utf8($name));
    }

    /** Anything as JSON that may be shown in a terminal. */
    public static function data(mixed $value): string
    {
        $flags = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE;

        return JsonText::visible(JsonText::encode($value, $flags));
    }
}
