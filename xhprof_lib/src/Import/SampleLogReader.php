<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Run\RunMeta;

/**
 * Samples of a file in their order, each with the time that it stands for. They are kept with the run where these times are
 * multiples of an interval, as those of a timer are. No figure of the run comes from here.
 *
 * @internal
 */
final class SampleLogReader
{
    /** Most samples that are kept in order. */
    private const MAX = 1000000;

    /** Most intervals of all samples together: half a year of milliseconds. */
    private const LONGEST = 1 << 34;

    /** @var list<int|null> per sample its node; null for time without one */
    private array $nodes = [];

    /** @var list<float> per sample its time, µs */
    private array $times = [];

    private int $interval = 0;

    /** @param 'wall'|'cpu' $clock of the times */
    public function __construct(private readonly string $clock)
    {
    }

    public function add(?int $node, float $us): void
    {
        $this->nodes[] = $node;
        $this->times[] = $us;
    }

    /** @param int|null $interval µs; null: the shortest time */
    public function close(?int $interval): void
    {
        $positive = array_filter($this->times, static fn (float $us): bool => $us > 0);
        $interval ??= $positive === [] ? 0 : (int) round(min($positive));
        $isMultiple = $interval > 0 && count($this->times) <= self::MAX
            && array_sum($this->times) / $interval < self::LONGEST;
        foreach ($isMultiple ? $this->times : [] as $us) {
            $isMultiple = $isMultiple && abs($us - round($us / $interval) * $interval) <= 1e-6 * max(1.0, $us);
        }
        $this->interval = $isMultiple ? $interval : 0;
    }

    public function hasInterval(): bool
    {
        return $this->interval > 0;
    }

    /** @return array<int, int> node => its samples: one each, or one per interval */
    public function samples(): array
    {
        $samples = [];
        foreach ($this->nodes as $i => $node) {
            if ($node !== null) {
                $samples[$node] = ($samples[$node] ?? 0) + $this->intervals($i, 1);
            }
        }

        return $samples;
    }

    /** @return array<string, mixed> in the shape of RunMeta::fromArray() */
    public function meta(): array
    {
        return RunMeta::ofSamples($this->clock, array_sum($this->samples()), $this->interval);
    }

    /**
     * @param array<int, int> $positions of the nodes in the tree
     *
     * @return array<string, mixed> as SampleColumns::fromLog() takes it
     */
    public function toArray(array $positions): array
    {
        $log = ['t' => [], 'n' => [], 'node' => []];
        $at = 0;
        foreach ($this->nodes as $i => $node) {
            $intervals = $this->intervals($i, 0);
            if ($node !== null && $intervals > 0) {
                $log['t'][] = $at;
                $log['n'][] = $intervals;
                $log['node'][] = $positions[$node];
            }
            $at += $intervals;
        }

        return ['interval_us' => $this->interval, 'clock' => $this->clock, 'start_us' => time() * 1000000] + $log;
    }

    private function intervals(int $sample, int $without): int
    {
        return $this->interval > 0 ? (int) round($this->times[$sample] / $this->interval) : $without;
    }
}
