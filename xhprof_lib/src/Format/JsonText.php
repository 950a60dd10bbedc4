<?php

declare(strict_types=1);

namespace XHProf\Format;

/** JSON with all digits of its numbers, and JSON that may be shown in a terminal. */
final class JsonText
{
    /** DEL, the controls of C1, marks that change the direction or are not seen, and separators of lines. */
    private const HIDDEN = '/[\x{7F}-\x{9F}\p{Cf}\p{Zl}\p{Zp}]/u';

    private function __construct()
    {
    }

    /**
     * @param int $flags of json_encode()
     *
     * @return string the shortest text that is read as the same numbers: json_encode() writes as many digits as php.ini's
     *     "serialize_precision" says
     *
     * @throws \JsonException for what is no JSON; not with JSON_PARTIAL_OUTPUT_ON_ERROR
     */
    public static function encode(mixed $value, int $flags = 0): string
    {
        $flags |= JSON_THROW_ON_ERROR;
        $precision = (string) ini_get('serialize_precision');
        // A server may forbid ini_set().
        if ($precision === '-1' || !function_exists('ini_set')) {
            return (string) json_encode($value, $flags);
        }
        ini_set('serialize_precision', '-1');
        try {
            return (string) json_encode($value, $flags);
        } finally {
            ini_set('serialize_precision', $precision);
        }
    }

    /**
     * Escapes the characters of JSON that a terminal would obey.
     *
     * @param string $json UTF-8; all that is not ASCII is in its strings
     *
     * @return string with \uNNNN in place of hidden characters
     */
    public static function visible(string $json): string
    {
        if (preg_match('/[\x7F-\xFF]/', $json) !== 1) {
            return $json;
        }

        return (string) preg_replace_callback(
            self::HIDDEN,
            // json_encode() leaves DEL as it is.
            static fn (array $found): string => $found[0] === "\x7F" ? '\u007f' : trim((string) json_encode($found[0]), '"'),
            $json,
        );
    }
}
