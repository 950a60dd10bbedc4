<?php

declare(strict_types=1);

namespace XHProf\Mcp\Tools;

/** Some lines of a source file of the profiled program. */
final class SourceExcerpt
{
    /** @param array<int, string> $lines by their numbers, in order */
    public function __construct(public readonly string $file, public readonly array $lines, public readonly int $marked)
    {
    }
}
