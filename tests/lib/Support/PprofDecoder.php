<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use RuntimeException;

/**
 * Reads profile.proto by its description, independent of the code that wrote the file.
 */
final class PprofDecoder
{
    /**
     * @return array{types: list<string>, default: string, samples: array<string, array<int, int>>, duration: int, time: int,
     *     comments: list<string>, functions: array<string, string>, stacks: list<string>} functions: "file:line" by name;
     *     stacks with the lines of calls, "leaf < caller:12"; samples by "leaf < caller < ... {label=text}", values of
     *     equal stacks added up
     */
    public static function decode(string $file): array
    {
        $profile = self::fields((string) gzdecode($file));
        $strings = $profile[6] ?? [];
        $text = static fn (int|string $index): string => (string) $strings[(int) $index];
        $types = [];
        foreach ($profile[1] as $type) {
            $type = self::fields((string) $type);
            $types[] = $text($type[1][0]) . '/' . $text($type[2][0]);
        }
        $functions = $places = $lines = [];
        foreach ($profile[5] as $function) {
            $function = self::fields((string) $function);
            $name = $functions[(int) $function[1][0]] = $text($function[2][0]);
            $places[$name] = isset($function[4]) ? $text($function[4][0]) . ':' . ($function[5][0] ?? 0) : '';
        }
        $locations = [];
        foreach ($profile[4] as $location) {
            $location = self::fields((string) $location);
            $line = self::fields((string) $location[4][0]);
            $id = (int) $location[1][0];
            $locations[$id] = $functions[(int) $line[1][0]];
            $lines[$id] = $locations[$id] . (isset($line[2]) ? ":{$line[2][0]}" : '');
        }
        $samples = $stacks = [];
        foreach ($profile[2] as $sample) {
            $sample = self::fields((string) $sample);
            $ids = self::packed((string) $sample[1][0]);
            $names = array_map(static fn (int $id): string => $locations[$id], $ids);
            $stacks[] = implode(' < ', array_map(static fn (int $id): string => $lines[$id], $ids));
            $stack = implode(' < ', $names);
            foreach ($sample[3] ?? [] as $label) {
                $label = self::fields((string) $label);
                $stack .= ' {' . $text($label[1][0]) . '=' . $text($label[2][0]) . '}';
            }
            foreach (self::packed((string) $sample[2][0]) as $i => $value) {
                $samples[$stack][$i] = ($samples[$stack][$i] ?? 0) + $value;
            }
        }

        return [
            'types' => $types,
            'default' => $text($profile[14][0]),
            'samples' => $samples,
            'duration' => (int) ($profile[10][0] ?? 0),
            'time' => (int) ($profile[9][0] ?? 0),
            'comments' => array_map($text, $profile[13] ?? []),
            'functions' => $places,
            'stacks' => $stacks,
        ];
    }

    /**
     * @return array<int, list<int|string>> values by field number, numbers and texts in their order
     */
    private static function fields(string $bytes): array
    {
        $fields = [];
        for ($at = 0; $at < strlen($bytes);) {
            $key = self::varint($bytes, $at);
            $fields[$key >> 3][] = match ($key & 7) {
                0 => self::varint($bytes, $at),
                2 => self::take($bytes, $at, self::varint($bytes, $at)),
                default => throw new RuntimeException("wire type of the key $key at $at"),
            };
        }

        return $fields;
    }

    /**
     * @return list<int>
     */
    private static function packed(string $bytes): array
    {
        $values = [];
        for ($at = 0; $at < strlen($bytes);) {
            $values[] = self::varint($bytes, $at);
        }

        return $values;
    }

    private static function take(string $bytes, int &$at, int $length): string
    {
        $at += $length;

        return $at <= strlen($bytes) ? substr($bytes, $at - $length, $length) : throw new RuntimeException('cut off');
    }

    private static function varint(string $bytes, int &$at): int
    {
        $value = 0;
        for ($shift = 0; $shift < 70; $shift += 7) {
            $byte = ord($bytes[$at++] ?? throw new RuntimeException('cut off'));
            $value |= ($byte & 0x7F) << $shift;
            if ($byte < 0x80) {
                return $value;
            }
        }
        throw new RuntimeException('a number of more than ten bytes');
    }
}
