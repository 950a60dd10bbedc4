<?php

declare(strict_types=1);

namespace XHProf\Report;

/**
 * A paragraph above the tables of a report, or a title above columns. One without a title is set off from what is before it; the
 * lines of one above columns are its tooltip.
 */
final class Heading
{
    /**
     * @param list<string> $lines    sentences
     * @param list<string> $warnings sentences on what is wrong with the data
     * @param string|null  $subject  behind the title, as far as there is room: what a run has profiled
     * @param list<string> $parts    of a sentence that breaks between them
     * @param TimeBar|null $bar      below them: where the time was
     */
    public function __construct(
        public readonly string $title,
        public readonly array $lines = [],
        public readonly array $warnings = [],
        public readonly ?string $subject = null,
        public readonly array $parts = [],
        public readonly ?TimeBar $bar = null,
    ) {
    }

    /** Whether it is more than warnings. */
    public function isText(): bool
    {
        return $this->title !== '' || $this->lines !== [];
    }
}
