<?php

declare(strict_types=1);

namespace XHProf\Mcp\Tools;

/** A call of a tool that an answer proposes, and why. */
final class Call
{
    /** @param array<string, mixed> $arguments without those that are null */
    public function __construct(
        public readonly string $tool,
        public readonly array $arguments,
        public readonly string $why,
    ) {
    }

    /** One line: "next: operations {"run":"4f0c…"} - who makes these queries". Its texts are ASCII, and end where the JSON ends. */
    public function line(string $word = 'next'): string
    {
        return "$word: $this->tool " . self::json($this->arguments) . " - $this->why";
    }

    /** @param array<string, mixed> $arguments */
    public static function json(array $arguments): string
    {
        $arguments = array_filter($arguments, static fn (mixed $value): bool => $value !== null);

        return $arguments === [] ? '{}'
            : (string) json_encode($arguments, JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE);
    }
}
