<?php

declare(strict_types=1);

namespace XHProf\Run;

use XHProf\Exception\InvalidRunId;

/** Name of a run: id and source, both of an alphabet that cannot form a path. */
final class RunId
{
    /** Endings of a run's files: the run, or that of PECL's XHProf in its place, and its label. */
    public const KINDS = [self::RUN, self::CLASSIC, 'label.json'];

    public const RUN = 'run';
    public const CLASSIC = 'xhprof';

    public const PART = '[A-Za-z0-9_-]{1,64}';

    private const LONGEST_PART = 64;

    /** Hexadecimal digits at the end of a name that was cut. */
    private const HASH = 16;

    private function __construct(public readonly string $id, public readonly string $source)
    {
    }

    /**
     * @param string $source may hold dots between its parts ("a.b"), as files of older tools do
     *
     * @throws InvalidRunId
     */
    public static function fromStrings(string $id, string $source): self
    {
        if (preg_match('/\A' . self::PART . '\z/', $id) !== 1) {
            throw new InvalidRunId('the run id is not 1 to 64 of A-Z a-z 0-9 _ -');
        }
        if (strlen($source) > 150 || preg_match('/\A' . self::PART . '(?:\.' . self::PART . ')*\z/', $source) !== 1) {
            throw new InvalidRunId('the source of the run is not 1 to 64 of A-Z a-z 0-9 _ -');
        }

        return new self($id, $source);
    }

    /**
     * The name of a run that a program names as it likes, as it may with PECL's library: any text, of any length. Each text always
     * gives the same name, a name of this class itself; what is cut ends with a hash of the whole.
     *
     * @param string $type "www.shop" stays, "localhost:8080" is "localhost_8080"
     */
    public static function ofProgram(string $id, string $type): self
    {
        $source = preg_replace('/[^A-Za-z0-9_.-]|\A\.|\.(?=\.|\z)|(?<=\.)\./', '_', $type) ?? '';
        $isShort = strlen($source) <= 150 && max(array_map(strlen(...), explode('.', $source))) <= self::LONGEST_PART;

        return self::fromStrings(
            self::bounded(preg_replace('/[^A-Za-z0-9_-]/', '_', $id) ?? '', $id),
            $isShort && $source !== '' ? $source : self::bounded(strtr($source, '.', '_'), $type),
        );
    }

    /** @param string $given what the name was made of */
    private static function bounded(string $name, string $given): string
    {
        if (strlen($name) > self::LONGEST_PART) {
            return substr($name, 0, self::LONGEST_PART - self::HASH - 1) . '-' . substr(hash('sha256', $given), 0, self::HASH);
        }

        return $name === '' ? '_' : $name;
    }

    /**
     * @return self|null null if it is not the name of a run file
     */
    public static function fromFileName(string $name): ?self
    {
        $text = self::textOf($name);
        try {
            return $text === null ? null : self::fromText($text);
        } catch (InvalidRunId) {
            return null;
        }
    }

    /** @return string|null "id.source" of the name of a run file, if it is a valid one; null for other files */
    public static function textOf(string $name): ?string
    {
        foreach ([self::RUN, self::CLASSIC] as $kind) {
            if (str_ends_with($name, ".$kind")) {
                return substr($name, 0, -strlen(".$kind"));
            }
        }

        return null;
    }

    /**
     * @param value-of<self::KINDS> $kind
     */
    public function fileName(string $kind = self::RUN): string
    {
        return "$this->id.$this->source.$kind";
    }

    /**
     * @param string $text "id.source", as __toString() writes it
     *
     * @throws InvalidRunId
     */
    public static function fromText(string $text): self
    {
        $parts = explode('.', $text, 2);

        return self::fromStrings($parts[0], $parts[1] ?? '');
    }

    public function equals(self $other): bool
    {
        return $this->id === $other->id && $this->source === $other->source;
    }

    public function __toString(): string
    {
        return "$this->id.$this->source";
    }
}
