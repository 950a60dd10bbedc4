<?php

declare(strict_types=1);

namespace XHProf\Run;

use XHProf\Exception\DamagedRun;
use XHProf\Format\JsonText;

/**
 * The head of a run file: its documents, and where their columns are. All that it says has been compared with the file's size.
 *
 * @internal
 */
final class RunHead
{
    public const VERSION = 1;

    public const BEGINNING = 'xhprof-run ';

    /** Bytes of the first line and the JSON behind it. */
    public const MAX_BYTES = 4 << 20;

    /** Bytes that hold the first line. */
    public const LINE = 64;

    /** Names of documents and of the parts of their columns' paths. */
    public const NAME = '[A-Za-z0-9_]+';

    /** A text has its ends in a column of this name behind its own. */
    public const END = '.end';

    /** Members that are no documents. */
    private const OTHERS = ['v', 'sections'];

    /** Lists and objects of the JSON: each takes some hundred bytes of memory. */
    private const MAX_LISTS = 1 << 17;

    /** JSON that is nested deeper is not read; it is json_encode()'s limit too. */
    private const MAX_DEPTH = 512;

    private const MAX_VALUES = 1 << 31;

    /** Columns of equal values take no bytes, but memory: together they have up to so many, or so many for each byte of others. */
    private const MAX_SAME = 1 << 20;
    private const MAX_SAME_PER_BYTE = 16;

    private const MAX_SECTIONS = 1000;

    /**
     * @param array<string, array<mixed>> $documents without their columns
     * @param array<string, Section>      $sections
     * @param string                      $json
     * @param int                         $length    bytes up to the first section
     */
    private function __construct(
        public readonly array $documents,
        public readonly array $sections,
        private readonly string $json,
        public readonly int $length,
    ) {
    }

    /**
     * @param \Closure(int, int): string $part bytes of the file, from an offset on
     * @param int                        $size of the file
     *
     * @throws DamagedRun
     */
    public static function read(\Closure $part, int $size): self
    {
        if ($size === 0) {
            throw new DamagedRun('the file is empty');
        }
        if (preg_match('/\A' . self::BEGINNING . '([0-9]{1,9}) (?:([0-9]{1,9})\n)?/', $part(0, self::LINE), $line) !== 1) {
            throw new DamagedRun('not a run file');
        }
        if ((int) $line[1] > self::VERSION) {
            throw new DamagedRun("written by a newer XHProf (format $line[1])");
        }
        $length = (int) ($line[2] ?? 0);
        $first = strlen($line[0]);
        if ((int) $line[1] !== self::VERSION || $length % Section::ALIGNMENT !== 0 || $length <= $first) {
            throw new DamagedRun('its first line is damaged');
        }
        if ($length > $size) {
            throw new DamagedRun('the file is cut off');
        }
        if ($length > self::MAX_BYTES) {
            throw new DamagedRun('its head is too large');
        }

        return self::fromJson($part($first, $length - $first), $length, $size - $length);
    }

    /**
     * A run file that begins with this head.
     *
     * @param array<array-key, mixed> $documents what JSON shows as an object
     * @param array<string, Section>  $sections
     *
     * @return string|null null if it is too large
     */
    public static function write(array $documents, array $sections): ?string
    {
        $flags = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION | JSON_PARTIAL_OUTPUT_ON_ERROR;
        $sections = array_map(static fn (Section $section): array => $section->toArray(), $sections);
        $head = ['v' => self::VERSION] + $documents + ['sections' => (object) $sections];
        $json = JsonText::encode($head, $flags);
        $line = '';
        for ($length = 0; strlen($line) + strlen($json) + 1 > $length;) {
            $length = Section::filledUp(strlen($line) + strlen($json) + 1);
            $line = self::BEGINNING . self::VERSION . " $length\n";
        }

        return $length > self::MAX_BYTES ? null : str_pad($line . $json, $length - 1) . "\n";
    }

    /** @return array<string, mixed> these documents as JSON has them: an object stays one where it is empty */
    public function objects(string ...$names): array
    {
        $data = (array) json_decode($this->json, false, self::MAX_DEPTH);

        return array_intersect_key($data, $this->documents, array_flip($names));
    }

    /** @return array<string, Section> of a document, or of a path in it, with the ends of texts */
    public function sectionsOf(string $path): array
    {
        return array_filter(
            $this->sections,
            static fn (string $name): bool => str_starts_with($name, "$path."),
            ARRAY_FILTER_USE_KEY,
        );
    }

    private static function fromJson(string $json, int $length, int $bytes): self
    {
        if (substr_count($json, '[') + substr_count($json, '{') > self::MAX_LISTS) {
            throw new DamagedRun('its head has too many parts');
        }
        $data = json_decode($json, true, self::MAX_DEPTH);
        if (!is_array($data) || !str_starts_with($json, '{') || !str_ends_with($json, "\n")) {
            throw new DamagedRun('its head is not JSON');
        }
        $sections = $data['sections'] ?? null;
        if (($data['v'] ?? null) !== self::VERSION || !is_array($sections) || count($sections) > self::MAX_SECTIONS) {
            throw new DamagedRun('its head has no sections, or too many');
        }
        $documents = array_diff_key($data, array_flip(self::OTHERS));
        foreach ($documents as $name => $document) {
            if (!is_array($document) || preg_match('/\A' . self::NAME . '\z/', (string) $name) !== 1) {
                throw new DamagedRun('a document of its head has no name, or is not an object');
            }
        }
        $known = [];
        foreach ($sections as $name => $section) {
            $name = (string) $name;
            $isName = preg_match('/\A(' . self::NAME . ')(?:\.' . self::NAME . ')+\z/', $name, $match) === 1;
            if (!$isName || !isset($documents[$match[1]])) {
                throw new DamagedRun('a section is of no document');
            }
            $known[$name] = self::section($section, $bytes) ?? throw new DamagedRun("its section $name is damaged");
        }
        $values = array_map(static fn (Section $section): int => $section->type === Section::SAME ? $section->n : 0, $known);
        $sizes = array_map(static fn (Section $section): int => $section->bytes, $known);
        if (array_sum($values) > max(self::MAX_SAME, self::MAX_SAME_PER_BYTE * $bytes) || array_sum($sizes) > $bytes) {
            throw new DamagedRun('its sections are larger than the file');
        }
        foreach ($known as $name => $section) {
            $end = $section->type === Section::TEXT ? $known[$name . self::END] ?? null : $section;
            if ($end === null || $end->n !== $section->n || ($end !== $section && $end->type === Section::TEXT)) {
                throw new DamagedRun("the texts of $name have no ends");
            }
        }

        /** @var array<string, array<mixed>> $documents */
        return new self($documents, $known, $json, $length);
    }

    /** @param int $bytes of all sections */
    private static function section(mixed $data, int $bytes): ?Section
    {
        $type = is_array($data) ? $data['type'] ?? null : null;
        $n = $data['n'] ?? null;
        if (!is_string($type) || !isset(Section::SIZES[$type]) || !is_int($n) || $n < 0 || $n > self::MAX_VALUES) {
            return null;
        }
        if ($type === Section::SAME) {
            $value = $data['value'] ?? null;

            return is_int($value) && abs($value) <= Section::LARGEST ? new Section($type, 0, $n, 0, $value) : null;
        }
        $at = $data['at'] ?? null;
        $size = $type === Section::TEXT ? $data['bytes'] ?? null : $n * Section::SIZES[$type];
        $isWithin = is_int($at) && is_int($size) && $at >= 0 && $size >= 0 && $at % Section::ALIGNMENT === 0
            && $at <= $bytes && $size <= $bytes - $at;

        return $isWithin ? new Section($type, $at, $n, $size) : null;
    }
}
