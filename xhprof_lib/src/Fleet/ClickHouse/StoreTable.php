<?php

declare(strict_types=1);

namespace XHProf\Fleet\ClickHouse;

/** A table of the store: what it holds, and in which order. */
final class StoreTable
{
    /**
     * @param array<string, string> $columns name => type
     * @param string                $engine  of the family MergeTree, without what a cluster adds: "SummingMergeTree((samples))"
     * @param list<string>          $order   columns by which it is sorted
     * @param string                $part    expression of its partitions; '' for one
     * @param string                $time    column by which rows expire; '' for never
     * @param TableRetention|null             $keep    how long they are kept; null for good
     * @param list<string>          $shard   columns whose rows are together on a shard
     * @param string                $from    what a view selects from the inbox for it; '' if rows are inserted
     */
    public function __construct(
        public readonly string $name,
        public readonly array $columns,
        public readonly string $engine,
        public readonly array $order,
        public readonly string $part = '',
        public readonly string $time = '',
        public readonly ?TableRetention $keep = null,
        public readonly array $shard = ['service', 'route'],
        public readonly string $from = '',
    ) {
    }

    /** Whether rows that come twice count twice here, unless their block has a token. */
    public function isCounted(): bool
    {
        return $this->from !== '' || $this->name === Schema::INBOX;
    }

    public function view(): string
    {
        return "{$this->name}_view";
    }
}
