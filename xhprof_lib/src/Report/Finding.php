<?php

declare(strict_types=1);

namespace XHProf\Report;

/** Something that is said of a run or of a setup: a sentence, or a figure with its function and the reason. */
final class Finding
{
    /**
     * @param string      $text   "the folder does not exist", "1 000 queries, 58.2 % of the time"
     * @param string|null $todo   what to do about it
     * @param string      $symbol function where it is: bytes from outside, to be made printable
     * @param string      $between what stands between the text and the function
     * @param string      $why    one sentence; '' where the text says all
     * @param array<string, mixed> $facts for programs, in place of level, text and todo
     * @param string      $place  of that function: "/path/file.php:12", or ''
     */
    public function __construct(
        public readonly Level $level,
        public readonly string $text,
        public readonly ?string $todo = null,
        public readonly string $symbol = '',
        public readonly string $between = '',
        public readonly string $why = '',
        private readonly array $facts = [],
        public readonly string $place = '',
    ) {
    }

    public static function ok(string $text): self
    {
        return new self(Level::Ok, $text);
    }

    public static function note(string $text, ?string $todo = null): self
    {
        return new self(Level::Note, $text, $todo);
    }

    public static function wrong(string $text, ?string $todo = null): self
    {
        return new self(Level::Wrong, $text, $todo);
    }

    /** @return array<string, mixed> */
    public function json(): array
    {
        return $this->facts ?: ['level' => $this->level->value, 'text' => $this->text, 'todo' => $this->todo];
    }
}
