<?php

declare(strict_types=1);

namespace XHProf\Format;

/** A value of a JSON file that people write, and the line where it stands: see JsonReader. */
final class JsonNode
{
    public const OBJECT = 'object';
    public const LIST = 'list';
    public const TEXT = 'text';
    public const NUMBER = 'number';
    public const BOOL = 'bool';
    public const NULL = 'null';

    /**
     * @param string $file as it was named
     * @param int    $line on which it begins; of a member of an object its key does
     * @param self::* $kind
     * @param string|int|float|bool|null $value of what is neither an object nor a list
     * @param array<array-key, self> $members of an object by key, of a list in order
     */
    public function __construct(
        public readonly string $file,
        public readonly int $line,
        public readonly string $kind,
        public readonly string|int|float|bool|null $value = null,
        public readonly array $members = [],
    ) {
    }

    public function at(int $line): self
    {
        return new self($this->file, $line, $this->kind, $this->value, $this->members);
    }

    /** @return list<string> keys of an object */
    public function keys(): array
    {
        return array_map(strval(...), array_keys($this->members));
    }

    /** The value as PHP has it: objects are arrays. */
    public function plain(): mixed
    {
        return match ($this->kind) {
            self::OBJECT, self::LIST => array_map(static fn (self $member): mixed => $member->plain(), $this->members),
            default => $this->value,
        };
    }

    /** What it is, in a message: "a text", "an object". */
    public function article(): string
    {
        return match ($this->kind) {
            self::OBJECT => 'an object',
            self::NULL => 'null',
            self::BOOL => $this->value === true ? 'true' : 'false',
            default => "a $this->kind",
        };
    }

    /** "budgets.json:12". */
    public function place(): string
    {
        return Text::printable($this->file) . ":$this->line";
    }
}
