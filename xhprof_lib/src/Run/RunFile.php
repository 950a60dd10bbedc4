<?php

declare(strict_types=1);

namespace XHProf\Run;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\StoreError;
use XHProf\File\OpenFile;

/**
 * Reads ID.SOURCE.run, the one file of a run: a head in JSON, and columns of numbers and texts behind it. The head is read first,
 * columns only when they are asked for. The file is untrusted: where it contradicts itself it is damaged.
 */
final class RunFile
{
    /** Values and bytes that are read at a time. */
    private const VALUES = 1 << 15;
    private const BYTES = 1 << 20;

    /** Values of a column that is passed on. */
    private const PART = 1 << 12;

    private readonly RunHead $head;

    /**
     * @param \Closure(int, int): string $part bytes of the file, from an offset on
     *
     * @throws DamagedRun
     */
    private function __construct(private readonly string $name, private readonly \Closure $part, int $size)
    {
        try {
            $this->head = RunHead::read($part, $size);
        } catch (DamagedRun $e) {
            throw $this->damage($e->getMessage());
        }
    }

    /**
     * Opens a regular file that is no link and has no second name, and keeps it open.
     *
     * @throws DamagedRun naming the file
     * @throws StoreError if there is no such file, or it cannot be read
     */
    public static function open(string $path): self
    {
        return self::fromFile(OpenFile::only($path) ?? throw new StoreError("$path is not a regular file"));
    }

    /** @throws DamagedRun naming the file */
    public static function fromFile(OpenFile $file): self
    {
        return new self($file->path, $file->part(...), $file->size);
    }

    /** Whether a file is meant to be one, judged by its first bytes. */
    public static function is(OpenFile $file): bool
    {
        return $file->part(0, strlen(RunHead::BEGINNING)) === RunHead::BEGINNING;
    }

    /**
     * @param string $name for messages
     *
     * @throws DamagedRun with that name
     */
    public static function fromBytes(string $bytes, string $name): self
    {
        return new self($name, static fn (int $at, int $count): string => substr($bytes, $at, $count), strlen($bytes));
    }

    /** @return array<string, array<mixed>> the documents without their columns */
    public function head(): array
    {
        return $this->head->documents;
    }

    /** @return list<string> "meta", "tree", "samples"... */
    public function documents(): array
    {
        return array_keys($this->head->documents);
    }

    public function has(string $document): bool
    {
        return isset($this->head->documents[$document]);
    }

    /**
     * @return array<mixed> its members in the head, and its columns as lists at their paths; [] where the file has no such document
     *
     * @throws DamagedRun
     */
    public function document(string $name): array
    {
        return $this->assembled($name, $this->read(...));
    }

    /**
     * Returns a document whose columns are read one at a time, when they are needed.
     *
     * @return array<mixed> with functions at the paths of columns, which return the lists in parts
     *
     * @throws DamagedRun
     */
    public function unread(string $name): array
    {
        return $this->assembled($name, fn (string $column): \Closure => fn (): iterable => $this->lists($column));
    }

    /** @return iterable<list<int|string>> a column in parts */
    private function lists(string $column): iterable
    {
        $section = $this->section($column);
        if ($section->type === Section::TEXT) {
            return [$this->texts($column)];
        }

        return (function () use ($column, $section): \Generator {
            foreach ($this->sliced([$column => $section], $section->n, 0, self::PART) as $block) {
                yield $block[$column];
            }
        })();
    }

    /** Whether there is such a column, of numbers or texts. */
    public function hasColumn(string $name): bool
    {
        return isset($this->head->sections[$name]);
    }

    /** @return list<string> last parts of the names of the columns at a path like "tree.self" */
    public function columns(string $path): array
    {
        $names = [];
        foreach ($this->head->sectionsOf($path) as $name => $_) {
            $name = substr($name, strlen("$path."));
            if (!str_contains($name, '.')) {
                $names[] = $name;
            }
        }

        return $names;
    }

    /** @return int values of a column, also of one of texts; 0 if the file has no such column */
    public function count(string $column): int
    {
        return isset($this->head->sections[$column]) ? $this->head->sections[$column]->n : 0;
    }

    /** @return int bytes of a document's columns */
    public function bytesOf(string $document): int
    {
        return array_sum(array_map(
            static fn (Section $section): int => Section::filledUp($section->bytes),
            $this->head->sectionsOf($document),
        ));
    }

    /** @return int values of a document's columns together: what they take in memory depends on it */
    public function values(string $document): int
    {
        return array_sum(array_map(static fn (Section $section): int => $section->n, $this->head->sectionsOf($document)));
    }

    /**
     * @param string $name like "tree.self.wt"
     *
     * @return list<int>
     *
     * @throws DamagedRun also if there is no such column
     */
    public function column(string $name): array
    {
        $section = $this->section($name);
        $values = $this->slice($section, $name, 0, self::VALUES);
        for ($first = self::VALUES; $first < $section->n; $first += self::VALUES) {
            // Not array_merge(): a large column must not be in memory twice.
            foreach ($this->slice($section, $name, $first, self::VALUES) as $value) {
                $values[] = $value;
            }
        }

        return $values;
    }

    /**
     * Several columns side by side, of which only a part is in memory at a time.
     *
     * @param list<string> $names
     * @param int          $first value to begin with
     * @param int          $count of values at a time
     *
     * @return iterable<array<string, list<int>>> the next values of each, of all the same number
     *
     * @throws DamagedRun also if there is no such column, or they are not equally long
     */
    public function blocks(array $names, int $first, int $count): iterable
    {
        $sections = array_combine($names, array_map($this->section(...), $names));
        $counts = array_unique(array_map(static fn (Section $section): int => $section->n, array_values($sections)));
        if (count($counts) > 1) {
            throw $this->damage('the columns ' . implode(', ', $names) . ' are not equally long');
        }

        return $this->sliced($sections, $counts[0] ?? 0, $first, $count);
    }

    /**
     * @param array<string, Section> $sections
     *
     * @return \Generator<int, array<string, list<int>>>
     */
    private function sliced(array $sections, int $all, int $first = 0, int $count = self::VALUES): \Generator
    {
        for (; $first < $all; $first += $count) {
            $block = [];
            foreach ($sections as $name => $section) {
                $block[$name] = $this->slice($section, $name, $first, $count);
            }
            yield $block;
        }
    }

    /**
     * @return array{string, int}|null the bytes of a column, little-endian, and how many each value has; null of a type that can
     *     have values below 0
     *
     * @throws DamagedRun also if there is no such column
     */
    public function packed(string $name): ?array
    {
        $section = $this->section($name);

        return match ($section->type) {
            'u8', 'u16', 'u32' => [$this->bytes($section, 0, $section->bytes), Section::SIZES[$section->type]],
            Section::SAME => ($section->value & ~0xFF) === 0 ? [str_repeat(chr($section->value), $section->n), 1] : null,
            default => null,
        };
    }

    /**
     * @return int no absolute value of the column is larger
     *
     * @throws DamagedRun if there is no such column
     */
    public function largest(string $name): int
    {
        $section = $this->section($name);

        return $section->type === Section::SAME ? abs($section->value) : Section::MOST[$section->type] ?? Section::LARGEST;
    }

    /**
     * @return int|float what the absolute values of a column add up to, or more where that is up to $enough
     *
     * @throws DamagedRun also if there is no such column
     */
    public function magnitude(string $name, int $enough): int|float
    {
        $section = $this->section($name);
        if ($section->n * $this->largest($name) <= $enough) {
            return $section->n * $this->largest($name);
        }
        /** @var int|float $sum beyond the integers a float */
        $sum = 0;
        foreach ($this->sliced([$name => $section], $section->n) as $block) {
            $sum += array_sum(array_map(abs(...), $block[$name]));
        }

        return $sum;
    }

    /**
     * @param string $name like "tree.names"
     *
     * @return list<string> in UTF-8
     *
     * @throws DamagedRun also if there is no such column
     */
    public function texts(string $name): array
    {
        $section = $this->section($name);
        if ($section->type !== Section::TEXT) {
            return $section->n === 0 ? [] : throw $this->damage("$name holds no texts");
        }
        $bytes = implode('', iterator_to_array($this->pieces($section, self::BYTES), false));
        $texts = [];
        $begin = 0;
        foreach ($this->column($name . RunHead::END) as $end) {
            if ($end < $begin || $end > $section->bytes) {
                throw $this->damage("the ends of the texts of $name are not in order");
            }
            $texts[] = $text = substr($bytes, $begin, $end - $begin);
            if (preg_match('//u', $text) !== 1) {
                throw $this->damage("a text of $name is not UTF-8");
            }
            $begin = $end;
        }

        return $texts;
    }

    /**
     * A run file of these documents only, those of them that it has, with the bytes of their columns as they are.
     *
     * @param list<string>                 $documents
     * @param array<string, array<mixed>>  $more      members to add to a document in the head
     *
     * @return \Generator<int, string> the file piece by piece, the head first
     *
     * @throws DamagedRun
     */
    public function part(array $documents, array $more = []): \Generator
    {
        $sections = $moved = [];
        $at = 0;
        foreach ($documents as $document) {
            $sections += $this->head->sectionsOf($document);
        }
        foreach ($sections as $name => $section) {
            $moved[$name] = $section->movedTo($at);
            $at += Section::filledUp($section->bytes);
        }
        $objects = $this->head->objects(...$documents);
        foreach (array_intersect_key($more, $objects) as $document => $members) {
            $objects[$document] = (object) ($members + (array) $objects[$document]);
        }
        yield RunHead::write($objects, $moved) ?? throw $this->damage('its head is too large');
        foreach ($sections as $section) {
            yield from $this->pieces($section, self::BYTES);
            yield str_repeat("\0", Section::filledUp($section->bytes) - $section->bytes);
        }
    }

    /**
     * @param \Closure(string): mixed $value of a column
     *
     * @return array<mixed>
     */
    private function assembled(string $name, \Closure $value): array
    {
        $document = $this->head->documents[$name] ?? [];
        foreach ($this->head->sectionsOf($name) as $column => $_) {
            if ($this->isEnd($column)) {
                continue;
            }
            $path = explode('.', substr($column, strlen($name) + 1));
            $last = array_pop($path);
            $at = &$document;
            $above = $name;
            foreach ($path as $part) {
                $at[$part] ??= [];
                $at = &$at[$part];
                $above .= ".$part";
                if (!is_array($at) || isset($this->head->sections[$above])) {
                    throw $this->damage("$column is within another value");
                }
            }
            if (isset($at[$last])) {
                throw $this->damage("$column is there twice");
            }
            $at[$last] = $value($column);
            unset($at);
        }

        return $document;
    }

    /** @return list<int|string> */
    private function read(string $column): array
    {
        return $this->section($column)->type === Section::TEXT ? $this->texts($column) : $this->column($column);
    }

    private function isEnd(string $column): bool
    {
        $text = substr($column, 0, -strlen(RunHead::END));

        return $column === $text . RunHead::END && ($this->head->sections[$text]->type ?? null) === Section::TEXT;
    }

    private function section(string $name): Section
    {
        return $this->head->sections[$name] ?? throw $this->damage("it has no column $name");
    }

    /** @return \Generator<int, string> the bytes of a section */
    private function pieces(Section $section, int $most): \Generator
    {
        for ($done = 0; $done < $section->bytes; $done += $count) {
            $count = min($most, $section->bytes - $done);
            yield $this->bytes($section, $done, $count);
        }
    }

    private function bytes(Section $section, int $first, int $count): string
    {
        $bytes = ($this->part)($this->head->length + $section->at + $first, $count);

        return strlen($bytes) === $count ? $bytes : throw $this->damage('it has become shorter, or cannot be read');
    }

    /** @return list<int> values of a column, from one on, as many as there are */
    private function slice(Section $section, string $name, int $first, int $most): array
    {
        $count = min($most, $section->n - $first);
        if ($count === 0) {
            return [];
        }
        if ($section->type === Section::SAME) {
            return array_fill(0, $count, $section->value);
        }
        if ($section->type === Section::TEXT) {
            throw $this->damage("$name holds texts");
        }
        $size = Section::SIZES[$section->type];
        $bytes = $this->bytes($section, $first * $size, $count * $size);
        $values = array_values(unpack(Section::FORMATS[$section->type] . '*', $bytes) ?: []);
        if ($section->type === Section::F64) {
            foreach ($values as $place => $value) {
                // No number of NaN is within bounds.
                if ($value < -Section::LARGEST || !($value <= Section::LARGEST) || ($values[$place] = (int) $value) != $value) {
                    throw $this->damage("a value of $name is not a whole number, or too large");
                }
            }
        }

        /** @var list<int> $values */
        return $values;
    }

    private function damage(string $what): DamagedRun
    {
        return new DamagedRun("$this->name: $what");
    }
}
