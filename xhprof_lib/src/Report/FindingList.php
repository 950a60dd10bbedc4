<?php

declare(strict_types=1);

namespace XHProf\Report;

/** Findings of a report under one head. Terminals, JSON and pages show the same ones. */
final class FindingList
{
    /**
     * @param list<Finding> $findings
     * @param string        $key   in JSON, and id of its section on a page; '' for a list that programs do not get
     * @param string        $none  sentence for a list without findings; '' for one that is not shown then
     * @param string        $title head on a page
     * @param list<string>  $lead  heads on a terminal
     * @param list<string>  $below lines below it on a terminal
     */
    public function __construct(
        public readonly array $findings,
        public readonly string $key = '',
        public readonly string $none = '',
        public readonly string $title = '',
        public readonly array $lead = [],
        public readonly array $below = [],
    ) {
    }

    /**
     * Whether no finding is wrong.
     *
     * @param list<self> $lists
     */
    public static function areRight(array $lists): bool
    {
        $levels = array_merge(...array_map(static fn (self $list): array => array_column($list->findings, 'level'), $lists));

        return !in_array(Level::Wrong, $levels, true);
    }

    /** @return list<array<string, mixed>> for programs */
    public function json(): array
    {
        return array_map(static fn (Finding $finding): array => $finding->json(), $this->findings);
    }
}
