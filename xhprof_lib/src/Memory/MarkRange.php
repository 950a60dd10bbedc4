<?php

declare(strict_types=1);

namespace XHProf\Memory;

use XHProf\Exception\UnknownMark;

/**
 * Two marks of a run. Blocks allocated after the first and before the second that are still alive leaked between them.
 * Mark 0 is the beginning of the tracking; one more than the last is its end.
 */
final class MarkRange
{
    private function __construct(
        public readonly int $marks,
        public readonly int $after,
        public readonly int $before,
        private readonly bool $isChosen,
    ) {
    }

    /**
     * @param int      $marks  made in all
     * @param int|null $after  null for the first mark, which stands for "warmed up"
     * @param int|null $before null for the last mark: the work of after it may not be done
     *
     * @throws UnknownMark
     */
    public static function choose(int $marks, ?int $after = null, ?int $before = null): self
    {
        $isChosen = $after !== null || $before !== null;
        $after ??= min(1, $marks, max(0, ($before ?? 2) - 1));
        $before ??= $after < $marks ? $marks : $marks + 1;
        if ($after < 0 || $after > $marks || $before < 1 || $before > $marks + 1) {
            $made = $marks === 1 ? '1 mark was' : "$marks marks were";
            throw new UnknownMark("$made made: after takes 0 to $marks, before takes 1 to " . ($marks + 1));
        }
        if ($after >= $before) {
            throw new UnknownMark("mark $after is not before mark $before");
        }

        return new self($marks, $after, $before, $isChosen);
    }

    /**
     * @return bool whether a block allocated after this number of marks is in the range
     */
    public function has(int $mark): bool
    {
        return $mark >= $this->after && $mark < $this->before;
    }

    /**
     * @return int stretches between one mark and the next
     */
    public function intervals(): int
    {
        return $this->before - $this->after;
    }

    /**
     * "after mark 1 and before mark 101"
     */
    public function words(): string
    {
        $isToTheEnd = $this->before > $this->marks;
        if ($this->after === 0) {
            return $isToTheEnd ? 'since the tracking began' : "before mark $this->before";
        }

        return "after mark $this->after" . ($isToTheEnd ? '' : " and before mark $this->before");
    }

    /**
     * @return string|null advice for a run without two marks, whose leaks cannot be reported; null for others
     */
    public function advice(): ?string
    {
        if ($this->marks >= 2 || $this->isChosen) {
            return null;
        }
        $made = $this->marks === 0
            ? 'This run has no marks, so this is all that is still alive, needed or not.'
            : 'This run has one mark only, so this is all that is still alive from after it, needed or not.';

        return "$made Run a worker as a whole, with bin/xhprof run --alloc: where its jobs are spans, each ends with a mark."
            . ' Without spans call xhprof_alloc_mark() after each job. What was allocated between the first mark and the last'
            . ' and is still alive has leaked.';
    }
}
