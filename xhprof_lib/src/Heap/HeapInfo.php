<?php

declare(strict_types=1);

namespace XHProf\Heap;

/**
 * Facts about a snapshot as a whole, from its index.
 *
 * @internal
 *
 * @phpstan-import-type Summary from HeapIndex
 */
final class HeapInfo
{
    /** @var array<string, int|float|string|bool> known values of the first line */
    public readonly array $header;

    /** @var array<string, mixed> values of Summary from the last line */
    private readonly array $footer;

    public function __construct(private readonly HeapIndexFile $index, private readonly HeapGroups $groups)
    {
        $this->header = SnapshotInfo::header($index->list('header'));
        $this->footer = SnapshotInfo::summary($index->list('summary'));
    }

    /** @return Summary of the last line; where that is missing, of the nodes that are there */
    public function summary(): array
    {
        $tiers = array_fill_keys(['typed', 'native', 'unreachable'], ['bytes' => 0, 'blocks' => 0]);
        foreach ($this->groups->all as $group) {
            $tier = isset($tiers[$group->type]) ? $group->type : 'typed';
            $tiers[$tier]['bytes'] += $group->bytes;
            $tiers[$tier]['blocks'] += $group->bytes > 0 ? $group->count : 0;
        }
        $sum = array_sum(array_column($tiers, 'bytes'));
        $found = [
            'nodes' => $this->index->number('nodes'),
            'edges' => $this->index->number('references'),
            'usage' => $sum,
            ...$tiers,
            'shared_bytes' => 0,
            'outside_bytes' => 0,
            'typed_percent' => $sum === 0 ? 0.0 : round(100 * $tiers['typed']['bytes'] / $sum, 2),
            'unreadable' => 0,
            'incomplete' => $this->index->isTrue('cut'),
        ];

        return array_replace($found, $this->footer);
    }

    /** @return list<string> sentences on what is wrong with the file: it is cut, references lead nowhere ... */
    public function notes(): array
    {
        $notes = [];
        $count = $this->index->number('nodes');
        if ($this->index->isTrue('cut')) {
            $notes[] = 'The end of the file is missing. The figures are those of the part that was written.';
        } elseif (($this->footer['nodes'] ?? $count) !== $count) {
            $notes[] = sprintf('The file has %2$d nodes, not %1$d as its end says.', $this->footer['nodes'], $count);
        }
        $lost = $this->index->number('lost');
        if ($lost > 0) {
            $notes[] = sprintf('%s to values outside of the file.', $lost === 1 ? '1 reference leads' : "$lost references lead");
        }
        if (($this->footer['incomplete'] ?? false) === true) {
            $notes[] = 'The snapshot ran out of memory: part of the heap is missing.';
        }
        if (($this->header['stopped'] ?? true) === false) {
            $notes[] = 'The process was not stopped while it was read: parts of this may be from different moments.';
        }

        return $notes;
    }
}
