<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Exception\InvalidRunId;

/** Name of a run: id and source, both of an alphabet that cannot form a path. */
final class RunId
{
    /** Kinds of a run's files, the run itself first. */
    public const KINDS = [
        'xhprof', 'meta.json', 'tree.json', 'samples.json', 'timeline.json', 'memory.json', 'operations.json', 'exemplars.json',
        'label.json',
    ];

    public const PART = '[A-Za-z0-9_-]{1,64}';

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
     * @return self|null null if it is not the name of a run file
     */
    public static function fromFileName(string $name): ?self
    {
        if (!str_ends_with($name, '.xhprof')) {
            return null;
        }
        $parts = explode('.', substr($name, 0, -7), 2);
        try {
            return self::fromStrings($parts[0], $parts[1] ?? '');
        } catch (InvalidRunId) {
            return null;
        }
    }

    /**
     * @param value-of<self::KINDS> $kind
     */
    public function fileName(string $kind = 'xhprof'): string
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
