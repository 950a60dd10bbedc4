<?php

declare(strict_types=1);

namespace XHProf\Web\Api;

use XHProf\Run\RunFile;

/** A document of an answer: made for it, or as the file of the run has it, with some members more. */
final class Document
{
    /** @param array<string, mixed> $members all of what is made, else those to add */
    private function __construct(
        public readonly string $name,
        public readonly array $members,
        public readonly ?RunFile $file = null,
    ) {
    }

    /** @param array<string, mixed> $members */
    public static function made(string $name, array $members): self
    {
        return new self($name, $members);
    }

    /** @param array<string, mixed> $more */
    public static function stored(string $name, RunFile $file, array $more = []): self
    {
        return new self($name, $more, $file);
    }

    /** @return array<mixed> all of it */
    public function toArray(): array
    {
        return $this->members + ($this->file?->document($this->name) ?? []);
    }

    /** @return array<mixed> the same with functions in the places of stored columns: see RunFile::unread() */
    public function unread(): array
    {
        return $this->members + ($this->file?->unread($this->name) ?? []);
    }
}
