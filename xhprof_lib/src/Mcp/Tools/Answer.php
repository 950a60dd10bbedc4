<?php

declare(strict_types=1);

namespace XHProf\Mcp\Tools;

use XHProf\Report\Report;

/** What a tool has found: reports, source lines, and the most useful next questions. */
final class Answer
{
    /**
     * @param list<Report> $reports
     * @param list<Call>   $next    the most useful first
     * @param list<SourceExcerpt> $source lines of the program
     * @param Call|null    $fewer   the question to ask in place of this one where its answer is too long; null: with max_bytes
     */
    public function __construct(
        public readonly array $reports,
        public readonly array $next = [],
        public readonly array $source = [],
        public readonly ?Call $fewer = null,
    ) {
    }
}
