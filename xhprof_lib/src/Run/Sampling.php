<?php

declare(strict_types=1);

namespace XHProf\Run;

/**
 * Quality of a run's sampling, from its metadata: the number of stacks read, and of timer intervals without a stack
 * of their own. Where allocations were sampled no timer ran.
 */
final class Sampling
{
    /**
     * @param string   $clock    clock of the timer: "wall" or "cpu"
     * @param int|null $taken    call stacks that were read
     * @param int|null $overruns intervals that ended before the last sample was taken: it stands for them too
     * @param int|null $delayed  samples taken when the internal function that ran at the tick had returned
     * @param int|null $dropped  samples there was no room for
     * @param int|null $intervalBytes mean distance of sampled allocations; null where a timer sampled
     */
    private function __construct(
        public readonly string $clock,
        public readonly ?int $taken,
        public readonly ?int $overruns,
        public readonly ?int $delayed,
        public readonly ?int $dropped,
        public readonly ?int $intervalBytes = null,
    ) {
    }

    /**
     * Takes the valid values and drops the rest.
     *
     * @param array<array-key, mixed> $data "sampling" of the metadata
     *
     * @return self|null null if it has none
     */
    public static function fromMeta(array $data): ?self
    {
        if ($data === []) {
            return null;
        }
        $values = new MetaValues($data);

        return new self(
            ($data['clock'] ?? null) === 'cpu' ? 'cpu' : 'wall',
            $values->natural('taken'),
            $values->natural('overruns'),
            $values->natural('delayed'),
            $values->natural('dropped'),
            $values->natural('interval_bytes'),
        );
    }

    /** @return 'wt'|'cpu'|'allocated_bytes' metric of its samples */
    public function metric(): string
    {
        if ($this->intervalBytes !== null) {
            return 'allocated_bytes';
        }

        return $this->clock === 'cpu' ? 'cpu' : 'wt';
    }

    /** @return array<string, string|int> in the shape of RunMeta::fromArray() */
    public function toArray(): array
    {
        return array_filter([
            'clock' => $this->intervalBytes === null ? $this->clock : null,
            'interval_bytes' => $this->intervalBytes,
            'taken' => $this->taken,
            'overruns' => $this->overruns,
            'delayed' => $this->delayed,
            'dropped' => $this->dropped,
        ], static fn (string|int|null $value): bool => $value !== null);
    }
}
