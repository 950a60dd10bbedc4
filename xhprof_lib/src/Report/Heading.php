<?php

declare(strict_types=1);

namespace XHProf\Report;

/** A paragraph above the tables of a report. One without a title is set off from what is before it. */
final class Heading
{
    /**
     * @param list<string> $lines    sentences
     * @param list<string> $warnings sentences on what is wrong with the data
     */
    public function __construct(
        public readonly string $title,
        public readonly array $lines = [],
        public readonly array $warnings = [],
    ) {
    }

    /** Whether it is more than warnings. */
    public function isText(): bool
    {
        return $this->title !== '' || $this->lines !== [];
    }
}
