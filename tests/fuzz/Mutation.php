<?php

declare(strict_types=1);

namespace XHProf\Tests\Fuzz;

/** Files that are nearly right: bytes and numbers changed, pieces cut, doubled and moved, and input that breaks parsers. */
final class Mutation
{
    private const PIECES = [
        '', "\0", '"', '\\', '{', '}', '[', ']', ':', ';', ',', '==>', '@1', "\xc0\x80", "\xff\xfe", "\xed\xa0\x80",
        "\xe2\x80\xae", 'a:2000000000:{', 'O:8:"stdClass":0:{}', 'R:1;', 'N;', 'd:NAN;', 'b:1;', '{"a":',
        '[[[[[[[[[[', 'null', 'true', '1e999', '-0', '<script>alert(1)</script>',
        '../../../../etc/passwd', "\x1b[2J", '%s%n', '=1+1', "\n", "\r\n", "\t", 'main()', '(before)',
    ];
    private const NUMBERS = [
        '0', '-1', '1', '255', '2147483647', '2147483648', '4294967295', '4294967296', '9007199254740993', '9223372036854775807',
        '-9223372036854775808', '18446744073709551616', '1.5', '1e308', '0.1', '-0.0', '00', '1000000000',
    ];

    private function __construct()
    {
    }

    public static function of(string $bytes, Chance $chance): string
    {
        // A file that is not of its kind any more is refused at once: half of them stay of their kind.
        $gentle = $chance->once(2);
        for ($left = $chance->number(1, 4); $left > 0; $left--) {
            $at = $chance->number(0, strlen($bytes));
            $bytes = match (true) {
                !$gentle => self::step($bytes, $chance),
                $chance->once(3) => self::name($bytes, $at, $chance),
                default => self::number($bytes, $at, $chance),
            };
        }

        return $bytes;
    }

    private static function step(string $bytes, Chance $chance): string
    {
        $length = strlen($bytes);
        $at = $chance->number(0, $length);
        $some = min($chance->number(1, $chance->once(4) ? 400 : 12), $length - $at);

        return match ($chance->number(1, 9)) {
            1 => substr($bytes, 0, $at) . $chance->bytes($some) . substr($bytes, $at + $some),
            2 => substr($bytes, 0, $at) . substr($bytes, $at + $some),
            3 => substr($bytes, 0, $at) . $chance->one(self::PIECES) . substr($bytes, $at),
            4 => substr($bytes, 0, $at) . substr($bytes, $at, $some) . substr($bytes, $at),
            5 => $chance->once(3) ? substr($bytes, 0, $at) : $bytes,
            6 => substr($bytes, 0, $at) . $chance->one(self::PIECES) . substr($bytes, $at + $some),
            default => self::number($bytes, $at, $chance),
        };
    }

    /** The next name is another one that is as long, or one that is elsewhere. */
    private static function name(string $bytes, int $at, Chance $chance): string
    {
        $there = $chance->number(0, strlen($bytes));
        foreach ([&$at, &$there] as &$offset) {
            if (preg_match('/[a-z_]{2,}/i', $bytes, $match, PREG_OFFSET_CAPTURE, $offset) !== 1) {
                return $bytes;
            }
            [$names[], $offset] = $match[0];
        }
        $other = strlen($names[0]) === strlen($names[1]) || $chance->once(4) ? $names[1] : strrev($names[0]);

        return substr_replace($bytes, $other, $at, strlen($names[0]));
    }

    /** Another number instead of the next one. */
    private static function number(string $bytes, int $at, Chance $chance): string
    {
        if (preg_match('/-?\d+(\.\d+)?/', $bytes, $match, PREG_OFFSET_CAPTURE, min($at, strlen($bytes))) !== 1) {
            return $bytes;
        }
        [$number, $offset] = $match[0];
        $other = $chance->once(2)
            ? $chance->one(self::NUMBERS)
            : (string) ((int) min(max((float) $number, -1e15), 1e15) + $chance->number(-3, 3));

        return substr_replace($bytes, $other, $offset, strlen($number));
    }
}
