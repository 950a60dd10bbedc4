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
    /** Encodes a field with a number; '' for 0, which a missing field means as well. */
    public static function int(int $field, int $value): string
    {
        return $value === 0 ? '' : chr($field << 3) . self::varint($value);
    }

    /** Encodes a field with a text, a message or a packed list of numbers; the field's number is below 16. */
    public static function message(int $field, string $bytes): string
    {
        return self::head($field, strlen($bytes)) . $bytes;
    }

    /** The beginning of such a field, whose bytes are written behind it. */
    public static function head(int $field, int $bytes): string
    {
        return chr($field << 3 | 2) . self::varint($bytes);
    }

    /** Encodes a field with a number of 8 bytes, which is not below 0; '' for 0. */
    public static function fixed64(int $field, int $value): string
    {
        return $value === 0 ? '' : chr($field << 3 | 1) . pack('P', $value);
    }

    /**
     * Reads the numbers, texts and messages of a message, which is untrusted.
     *
     * @return array<int, int|string> by number of the field; of a field that occurs several times the last value. Reading ends
     *     at the first byte that fits no field
     */
    public static function fields(string $message): array
    {
        $fields = [];
        foreach (self::each($message) as [$field, $value]) {
            $fields[$field] = $value;
        }

        return $fields;
    }

    /**
     * Reads the fields of a message, which is untrusted, one after the other.
     *
     * @return \Generator<int, array{int, int|string}> number of the field, and its number, text or message; it returns whether
     *     that was the whole message, or it ends at a byte that fits no field
     */
    public static function each(string $message): \Generator
    {
        $at = 0;
        $length = strlen($message);
        while ($at < $length) {
            $tag = self::number($message, $at);
            $kind = ($tag ?? 0) & 7;
            if ($tag === null || $tag < 8) {
                return false;
            }
            if ($kind === 1 || $kind === 5) {
                $bytes = $kind === 1 ? 8 : 4;
                $value = $at + $bytes <= $length ? unpack($kind === 1 ? 'P' : 'V', $message, $at) : false;
                $at += $bytes;
                if ($value === false) {
                    return false;
                }
                yield [$tag >> 3, (int) $value[1]];
                continue;
            }
            $value = $kind === 0 || $kind === 2 ? self::number($message, $at) : null;
            if ($value === null || ($kind === 2 && ($value < 0 || $value > $length - $at))) {
                return false;
            }
            if ($kind === 2) {
                yield [$tag >> 3, substr($message, $at, $value)];
                $at += $value;
            } else {
                yield [$tag >> 3, $value];
            }
        }

        return true;
    }

    /**
     * Reads a packed list of numbers.
     *
     * @return list<int>|null null if the last number is cut off
     */
    public static function numbers(string $packed): ?array
    {
        $numbers = [];
        for ($at = 0; $at < strlen($packed);) {
            $number = self::number($packed, $at);
            if ($number === null) {
                return null;
            }
            $numbers[] = $number;
        }

        return $numbers;
    }

    /**
     * Reads a number of variable length.
     *
     * @param int $at offset of the number; is set to the offset behind it
     *
     * @return int|null null if the number is cut off or too long
     */
    private static function number(string $bytes, int &$at): ?int
    {
        $value = 0;
        for ($shift = 0; $shift < 64; $shift += 7) {
            if (!isset($bytes[$at])) {
                return null;
            }
            $byte = ord($bytes[$at++]);
            $value |= ($byte & 0x7F) << $shift;
            if ($byte < 0x80) {
                return $value;
            }
        }

        return null;
    }

    /** Encodes a number with seven bits per byte, the lowest bits first; a negative number takes ten bytes. */
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
