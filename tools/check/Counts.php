<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** Counts of a suite's checks that passed, failed and were skipped, and the names of those that passed only when run again. */
final class Counts
{
    /** @param list<string> $again counted in $passed as well: they depend on time, and the machine was busy */
    public function __construct(
        public int $passed = 0,
        public int $failed = 0,
        public int $skipped = 0,
        public array $again = [],
    ) {
    }

    public function add(self $other): void
    {
        $this->passed += $other->passed;
        $this->failed += $other->failed;
        $this->skipped += $other->skipped;
    }

    public function total(): int
    {
        return $this->passed + $this->failed + $this->skipped;
    }

    /** The last line of make check. */
    public function verdict(): string
    {
        return "$this->passed passed, $this->failed failed";
    }

    public function __toString(): string
    {
        return "$this->passed passed, $this->failed failed" . ($this->skipped > 0 ? ", $this->skipped skipped" : '');
    }
}
