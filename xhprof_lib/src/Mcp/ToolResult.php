<?php

declare(strict_types=1);

namespace XHProf\Mcp;

/** What a tool answers: a text, or what went wrong in a sentence that the model can act on. */
final class ToolResult
{
    public function __construct(public readonly string $text, public readonly bool $isError = false)
    {
    }

    public static function error(string $text): self
    {
        return new self($text, true);
    }

    /** @return array<string, mixed> the result of tools/call */
    public function toArray(): array
    {
        return ['content' => [['type' => 'text', 'text' => $this->text]], 'isError' => $this->isError];
    }
}
