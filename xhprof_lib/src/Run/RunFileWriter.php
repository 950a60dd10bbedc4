<?php

declare(strict_types=1);

namespace XHProf\Run;

use XHProf\Exception\InvalidProfile;
use XHProf\Format\Text;

/**
 * Writes a run file: within a document lists of whole numbers and of texts become columns, also those of objects in it. All else
 * stays in the head, and the whole document "meta". RunFile gives the same documents back, but for bytes of texts that are not
 * UTF-8: they become "\xNN".
 */
final class RunFileWriter
{
    /** Stays in the head as it is: metadata is read for lists of runs. */
    private const WHOLE = 'meta';

    /** Values that are packed at a time. */
    private const VALUES = 1 << 13;

    /** Largest value of each type, smallest type first. */
    private const LARGEST = ['u8' => 0xFF, 'u16' => 0xFFFF, 'u32' => 0xFFFFFFFF, 'f64' => Section::LARGEST];

    /** @var array<string, mixed> */
    private array $head = [];

    /** @var array<string, list<int|string>> */
    private array $columns = [];

    /** @var array<string, Section> */
    private array $sections = [];

    private int $bytes = 0;

    /** @param array<string, array<mixed>> $documents */
    private function __construct(array $documents)
    {
        foreach ($documents as $name => $document) {
            $this->head[$name] = (object) ($name === self::WHOLE ? $document : $this->split($name, $document));
        }
    }

    /**
     * @param array<string, array<mixed>> $documents "meta", "tree"...
     *
     * @throws InvalidProfile if what is no column takes more than RunHead::MAX_BYTES
     */
    public static function bytes(array $documents): string
    {
        return implode('', iterator_to_array(self::pieces($documents), false));
    }

    /**
     * Yields the bytes of the file piece by piece.
     *
     * @param array<string, array<mixed>> $documents
     *
     * @return \Generator<int, string>
     *
     * @throws InvalidProfile
     */
    public static function pieces(array $documents): \Generator
    {
        $file = new self($documents);
        yield RunHead::write(self::utf8($file->head), $file->sections)
            ?? throw new InvalidProfile('the run has too much beside its columns');
        foreach ($file->sections as $name => $section) {
            yield from self::packed($file->columns[$name], $section);
            yield str_repeat("\0", Section::filledUp($section->bytes) - $section->bytes);
        }
    }

    /**
     * @param array<mixed> $values
     *
     * @return array<mixed> what stays in the head
     */
    private function split(string $path, array $values): array
    {
        $rest = [];
        foreach ($values as $name => $value) {
            if (!is_array($value) || preg_match('/\A' . RunHead::NAME . '\z/', (string) $name) !== 1) {
                $rest[$name] = $value;
            } elseif (!array_is_list($value)) {
                $inner = $this->split("$path.$name", $value);
                $rest += $inner === [] ? [] : [$name => $inner];
            } elseif (!$this->addColumn("$path.$name", $value)) {
                $rest[$name] = $value;
            }
        }

        return $rest;
    }

    /**
     * @param list<mixed> $values
     *
     * @return bool whether they are all whole numbers, or all texts
     */
    private function addColumn(string $name, array $values): bool
    {
        if (is_string($values[0] ?? null)) {
            return $this->addTexts($name, $values);
        }
        $least = $most = $values[0] ?? 0;
        foreach ($values as $value) {
            if (!is_int($value)) {
                return false;
            }
            $least = $value < $least ? $value : $least;
            $most = $value > $most ? $value : $most;
        }
        if ($least < -Section::LARGEST || $most > Section::LARGEST) {
            return false;
        }
        /** @var list<int> $values */
        $this->put($name, $values, self::typeOf($least, $most), $least);

        return true;
    }

    /** @param list<mixed> $texts */
    private function addTexts(string $name, array $texts): bool
    {
        $utf8 = $ends = [];
        $end = 0;
        foreach ($texts as $text) {
            if (!is_string($text)) {
                return false;
            }
            $utf8[] = $text = Text::utf8($text);
            $ends[] = $end += strlen($text);
        }
        $this->put($name, $utf8, Section::TEXT, $end);
        $this->put($name . RunHead::END, $ends, self::typeOf($ends[0], $end), $end);

        return true;
    }

    /**
     * @param list<int|string>    $values
     * @param key-of<Section::SIZES> $type
     * @param int                 $figure bytes of texts; the value of equal ones
     */
    private function put(string $name, array $values, string $type, int $figure): void
    {
        $bytes = $type === Section::TEXT ? $figure : count($values) * Section::SIZES[$type];
        $at = $type === Section::SAME ? 0 : $this->bytes;
        $this->columns[$name] = $values;
        $this->sections[$name] = new Section($type, $at, count($values), $bytes, $figure);
        $this->bytes += Section::filledUp($bytes);
    }

    /** @return key-of<Section::SIZES> */
    private static function typeOf(int $least, int $most): string
    {
        if ($least === $most) {
            return Section::SAME;
        }
        if ($least < 0) {
            return $least >= -(1 << 31) && $most < 1 << 31 ? 'i32' : 'f64';
        }
        foreach (self::LARGEST as $type => $largest) {
            if ($most <= $largest) {
                return $type;
            }
        }

        return 'f64';
    }

    /**
     * @param list<int|string> $values
     *
     * @return \Generator<int, string>
     */
    private static function packed(array $values, Section $section): \Generator
    {
        if ($section->type === Section::SAME) {
            return;
        }
        for ($first = 0; $first < count($values); $first += self::VALUES) {
            $piece = array_slice($values, $first, self::VALUES);
            yield $section->type === Section::TEXT
                ? implode('', $piece)
                : pack(Section::FORMATS[$section->type] . '*', ...$piece);
        }
    }

    /**
     * @param array<array-key, mixed> $values
     *
     * @return array<array-key, mixed> with texts and names of members in UTF-8
     */
    private static function utf8(array $values): array
    {
        $utf8 = [];
        foreach ($values as $name => $value) {
            $name = is_string($name) ? Text::utf8($name) : $name;
            $utf8[$name] = match (true) {
                is_string($value) => Text::utf8($value),
                is_array($value) => self::utf8($value),
                $value instanceof \stdClass => (object) self::utf8((array) $value),
                default => $value,
            };
        }

        return $utf8;
    }
}
