<?php

declare(strict_types=1);

namespace XHProf\Findings;

/** The calls that a finding is about, which pictures of call paths and timelines show: those of any of its parts. */
final class FoundCalls
{
    /**
     * @param list<string> $functions all their calls
     * @param string       $below     only those of $functions and $prefixes that this function made, directly or not; '' for all
     * @param list<string> $prefixes  of names of functions: all their calls
     * @param list<list<string>> $paths call paths from the outermost function
     */
    public function __construct(
        public readonly array $functions,
        public readonly string $below = '',
        public readonly array $prefixes = [],
        public readonly array $paths = [],
    ) {
    }

    /** @param list<list<string>> $paths call paths from the outermost function */
    public static function onPaths(array $paths): self
    {
        return new self([], paths: $paths);
    }
}
