<?php

declare(strict_types=1);

namespace XHProf\Operations;

use XHProf\Exception\InvalidProfile;
use XHProf\Profile\SavedColumns;

/**
 * What a run waited for, as columns: per text at a call path the calls and times, in nanoseconds. Of a sampling texts are names
 * of functions, and calls are samples; longest times, durations and values are not known. Validated once, never changed after.
 */
final class Operations
{
    /**
     * @param list<string>    $texts    SQL without values, "GET host/path" ...
     * @param list<string>    $kinds    per text, "sql", "http" ...
     * @param list<int>|null  $distinctOfText calls with values of their own, per text; null of a sampling
     * @param list<int>       $text     per row, an index into texts
     * @param list<int>       $node     per row, a node of the call tree
     * @param list<int>       $ct       per row
     * @param list<int>       $total    per row
     * @param list<int>|null  $max      per row; null of a sampling
     * @param list<int>|null  $distinct per row; null of a sampling
     * @param list<int>       $bounds   shortest duration of each bucket
     * @param list<array<int, int>> $buckets per row calls by bucket; [] for a single call
     * @param int             $lost     operations that could not be recorded
     */
    private function __construct(
        public readonly array $texts,
        public readonly array $kinds,
        public readonly ?array $distinctOfText,
        public readonly array $text,
        public readonly array $node,
        public readonly array $ct,
        public readonly array $total,
        public readonly ?array $max,
        public readonly ?array $distinct,
        public readonly array $bounds,
        public readonly array $buckets,
        public readonly int $lost,
    ) {
    }

    /**
     * @param array<mixed> $data the document "operations" of a run
     * @param int          $nodes of the run's call tree
     *
     * @throws InvalidProfile
     */
    public static function fromArray(array $data, int $nodes): self
    {
        $texts = self::texts($data['texts'] ?? null, 'texts');
        $names = self::texts($data['kinds'] ?? null, 'kinds');
        $count = count($texts);
        $kinds = [];
        foreach (SavedColumns::integers($data['kind_of_text'] ?? null, 'kind_of_text', 0, $count) as $kind) {
            $kinds[] = $names[$kind] ?? throw new InvalidProfile('a text of the operations has no kind');
        }
        $text = SavedColumns::integers($data['text'] ?? null, 'text', 0, null, max(0, $count - 1));
        $rows = count($text);
        if ($rows > 0 && $count === 0) {
            throw new InvalidProfile('the operations have no texts');
        }
        $sampled = isset($data['sampled']);
        $column = static fn (string $name, int $length): array
            => SavedColumns::integers($data[$name] ?? null, $name, 0, $length);
        $bounds = $sampled ? [] : SavedColumns::integers($data['bounds'] ?? null, 'bounds', 0);

        return new self(
            $texts,
            $kinds,
            $sampled ? null : $column('distinct_of_text', $count),
            $text,
            SavedColumns::integers($data['node'] ?? null, 'node', 0, $rows, $nodes - 1),
            $column('ct', $rows),
            $column('total', $rows),
            $sampled ? null : $column('max', $rows),
            $sampled ? null : $column('distinct', $rows),
            $bounds,
            $sampled ? array_fill(0, $rows, []) : self::buckets($data['bucket'] ?? null, $rows, count($bounds)),
            SavedColumns::integer($data['lost'] ?? 0, 'the number of lost operations'),
        );
    }

    /** Whether these are of a sampling. */
    public function isSampled(): bool
    {
        return $this->max === null;
    }

    /**
     * @return list<string>
     *
     * @throws InvalidProfile
     */
    private static function texts(mixed $texts, string $name): array
    {
        if (!is_array($texts) || !array_is_list($texts)) {
            throw new InvalidProfile("the operations have no list $name");
        }
        foreach ($texts as $text) {
            if (!is_string($text)) {
                throw new InvalidProfile("the list $name of the operations holds something else than texts");
            }
        }

        /** @var list<string> $texts */
        return $texts;
    }

    /**
     * @param mixed $used columns with an entry per used bucket: its row, its number, its calls
     *
     * @return list<array<int, int>>
     *
     * @throws InvalidProfile
     */
    private static function buckets(mixed $used, int $rows, int $most): array
    {
        $used = is_array($used) ? $used : [];
        $row = SavedColumns::integers($used['row'] ?? null, 'bucket.row', 0, null, $rows - 1);
        $number = SavedColumns::integers($used['number'] ?? null, 'bucket.number', 0, count($row), $most - 1);
        $ct = SavedColumns::integers($used['ct'] ?? null, 'bucket.ct', 0, count($row));
        $buckets = array_fill(0, $rows, []);
        foreach ($row as $i => $operation) {
            $buckets[$operation][$number[$i]] = $ct[$i];
        }

        return $buckets;
    }
}
