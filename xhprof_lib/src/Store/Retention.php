<?php

declare(strict_types=1);

namespace XHProf\Store;

/**
 * Selects the runs to remove so that a folder keeps within limits. The oldest go first. Pinned runs are never removed;
 * unpinned ones go in their place.
 */
final class Retention
{
    /**
     * @param float|null $before   runs that began before this go; seconds since 1970
     * @param int|null   $maxRuns  most runs to keep
     * @param int|null   $maxBytes most bytes to keep, of all files of the runs
     */
    public function __construct(
        public readonly ?float $before = null,
        public readonly ?int $maxRuns = null,
        public readonly ?int $maxBytes = null,
    ) {
    }

    /**
     * @param list<RunEntry> $runs newest first
     *
     * @return list<RunEntry> the ones to delete, oldest first
     */
    public function expired(array $runs): array
    {
        $count = count($runs);
        $bytes = array_sum(array_map(static fn (RunEntry $run): int => $run->size, $runs));
        $expired = [];
        foreach (array_reverse($runs) as $run) {
            $isOver = ($this->before !== null && $run->time < $this->before)
                || ($this->maxRuns !== null && $count > $this->maxRuns)
                || ($this->maxBytes !== null && $bytes > $this->maxBytes);
            if ($isOver && !$run->label->pinned) {
                $expired[] = $run;
                $count--;
                $bytes -= $run->size;
            }
        }

        return $expired;
    }
}
