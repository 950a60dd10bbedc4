<?php

declare(strict_types=1);

namespace XHProf\Export;

/**
 * The subset of protocol buffers that a profile needs.
 *
 * @link https://protobuf.dev/programming-guides/encoding/
 */
final class Proto
{
    /** A field with a number; nothing for 0, the default of a missing field. */
    public static function int(int $field, int $value): string
    {
        return $value === 0 ? '' : chr($field << 3) . self::varint($value);
    }

    /** A field with a text, a message or a packed list of numbers; its number is below 16. */
    public static function message(int $field, string $bytes): string
    {
        return chr($field << 3 | 2) . self::varint(strlen($bytes)) . $bytes;
    }

    /** Seven bits a byte, the lowest first; a negative number takes ten. */
    public static function varint(int $value): string
    {
        if ($value >= 0 && $value < 0x80) {
            return chr($value);
        }
        $bytes = '';
        do {
            $byte = $value & 0x7F;
            // The shift must not copy the sign into the upper bits.
            $value = ($value >> 7) & (PHP_INT_MAX >> 6);
            $bytes .= chr($value === 0 ? $byte : $byte | 0x80);
        } while ($value !== 0);

        return $bytes;
    }
}
