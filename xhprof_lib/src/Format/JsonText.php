<?php

declare(strict_types=1);

namespace XHProf\Format;

/** JSON that may be shown in a terminal: it is the same data, and no character of it does anything there. */
final class JsonText
{
    /** DEL, the controls of C1, marks that change the direction or are not seen, and separators of lines. */
    private const HIDDEN = '/[\x{7F}-\x{9F}\p{Cf}\p{Zl}\p{Zp}]/u';

    private function __construct()
    {
    }

    /**
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
