<?php

declare(strict_types=1);

namespace XHProf\Share;

/** How much of a run, or of two, goes into a file: less of it where the file would be too large. */
final class Detail
{
    /**
     * @param int        $nodes     most call paths of a tree
     * @param float|null $least     call paths below this share of the run's time are left out too
     * @param bool       $times     when calls, samples and operations were
     * @param bool       $calls     who calls whom, for the panel of a function
     * @param bool       $functions all functions, or the first hundred
     */
    public function __construct(
        public readonly int $nodes,
        public readonly ?float $least = null,
        public readonly bool $times = true,
        public readonly bool $calls = true,
        public readonly bool $functions = true,
    ) {
    }

    /** @param array<string, mixed> $changes by the names of the constructor's parameters */
    public function with(array $changes): self
    {
        return new self(...$changes + get_object_vars($this));
    }
}
