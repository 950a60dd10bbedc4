<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use XHProf\Export\Proto;

/**
 * Files of other tools, and what they add up to: found by readers that know nothing of the library's.
 */
final class ImportFixtures
{
    public static function path(string $name): string
    {
        return dirname(__DIR__) . "/imports/$name";
    }

    public static function bytes(string $name): string
    {
        return (string) file_get_contents(self::path($name));
    }

    /**
     * @return int the sum of what functions of a callgrind file spent themselves: of the first of its events
     */
    public static function ownCosts(string $callgrind): int
    {
        $sum = 0;
        $isCall = false;
        foreach (explode("\n", $callgrind) as $line) {
            if (preg_match('/^calls=/', $line) === 1) {
                $isCall = true;
            } elseif (preg_match('/^[0-9+*-]\S* (-?[0-9]+)/', $line, $match) === 1) {
                $sum += $isCall ? 0 : (int) $match[1];
                $isCall = false;
            }
        }

        return $sum;
    }

    /** The sum of the numbers at the ends of lines. */
    public static function lastWords(string $folded): float
    {
        $sum = 0.0;
        foreach (explode("\n", $folded) as $line) {
            $words = preg_split('/\s+/', trim($line)) ?: [];
            $sum += str_starts_with($line, '#') ? 0.0 : (float) end($words);
        }

        return $sum;
    }

    /** What memprof_dump_pprof() writes: a path of three and one of two functions, of 8192 and 584 bytes. */
    public static function memprofPprof(): string
    {
        $names = "--- symbol\nbinary=php\n0x0000000000000009 root\n0x0000000000000003 B::c\n0x0000000000000004 a\n---\n"
            . "--- profile\n";
        $records = [[0, 3, 0, 0, 0], [56, 1, 9], [8192, 3, 4, 3, 9], [584, 2, 4, 9], [0, 1, 0]];

        return $names . implode('', array_map(static fn (array $words): string => pack('P*', ...$words), $records));
    }

    /**
     * A CPU profile in the form of Go's runtime: samples and nanoseconds, mappings, inlined calls, numbers that are not packed.
     */
    public static function goPprof(): string
    {
        $texts = ['', 'samples', 'count', 'cpu', 'nanoseconds', 'main.work', 'main.go', 'main.inlined', 'runtime.main', 'thread',
            'io'];
        $two = static fn (int $a, int $b): string => Proto::int(1, $a) . Proto::int(2, $b);
        $sample = static fn (array $stack, int $count, bool $isPacked): string => Proto::message(2, ($isPacked
            ? Proto::message(1, implode('', array_map(Proto::varint(...), $stack)))
                . Proto::message(2, Proto::varint($count) . Proto::varint($count * 10000000))
            : implode('', array_map(static fn (int $id): string => Proto::int(1, $id), $stack))
                . Proto::int(2, $count) . Proto::int(2, $count * 10000000))
            . Proto::message(3, $two(9, 10)));
        $bytes = Proto::message(1, $two(1, 2)) . Proto::message(1, $two(3, 4))
            . $sample([1, 2], 3, true) . $sample([3, 2], 4, false) . $sample([7], 1, true)
            . Proto::message(3, Proto::int(1, 1) . Proto::int(2, 0x400000) . Proto::int(3, 0x500000))
            // main.inlined() within main.work(); runtime.main(); what is called at an address without a name.
            . Proto::message(4, Proto::int(1, 1) . Proto::int(3, 0x401000)
                . Proto::message(4, $two(2, 12)) . Proto::message(4, $two(1, 7)))
            . Proto::message(4, Proto::int(1, 2) . Proto::message(4, $two(3, 250)))
            . Proto::message(4, Proto::int(1, 3) . Proto::message(4, $two(1, 8)))
            . Proto::message(4, Proto::int(1, 7) . Proto::int(3, 0x401abc))
            . Proto::message(5, $two(1, 5) . Proto::int(4, 6) . Proto::int(5, 3))
            . Proto::message(5, $two(2, 7) . Proto::int(4, 6) . Proto::int(5, 11))
            . Proto::message(5, $two(3, 8));
        foreach ($texts as $text) {
            $bytes .= Proto::message(6, $text);
        }

        return (string) gzencode($bytes . Proto::int(9, 1714564800000000000) . Proto::int(10, 80000000)
            . Proto::message(11, $two(3, 4)) . Proto::int(12, 10000000));
    }

    /** A heap profile in the form of Go's: of these values the live bytes are the memory. */
    public static function goHeap(): string
    {
        $texts = ['', 'alloc_objects', 'count', 'alloc_space', 'bytes', 'inuse_objects', 'inuse_space', 'main.keep', 'main.drop'];
        $bytes = '';
        foreach ([[1, 2], [3, 4], [5, 2], [6, 4]] as [$type, $unit]) {
            $bytes .= Proto::message(1, Proto::int(1, $type) . Proto::int(2, $unit));
        }
        foreach ([[1, [2, 2048, 1, 1024]], [2, [5, 5120, 0, 0]]] as [$location, $values]) {
            $bytes .= Proto::message(2, Proto::message(1, Proto::varint($location))
                . Proto::message(2, implode('', array_map(Proto::varint(...), $values))));
        }
        foreach ([1 => 7, 2 => 8] as $id => $name) {
            $bytes .= Proto::message(4, Proto::int(1, $id) . Proto::message(4, Proto::int(1, $id)))
                . Proto::message(5, Proto::int(1, $id) . Proto::int(2, $name));
        }
        foreach ($texts as $text) {
            $bytes .= Proto::message(6, $text);
        }

        return (string) gzencode($bytes);
    }
}
