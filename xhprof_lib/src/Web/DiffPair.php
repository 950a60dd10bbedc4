<?php

declare(strict_types=1);

namespace XHProf\Web;

use XHProf\Store\RunMeta;

/** The two sides of a comparison; each may be the mean of several runs. */
final class DiffPair
{
    public function __construct(public readonly RunSet $before, public readonly RunSet $after)
    {
    }

    public function swapped(): self
    {
        return new self($this->after, $this->before);
    }

    /**
     * What makes the two hard to compare, as sentences. Of a mean the first run's metadata speaks.
     *
     * @return list<string>
     */
    public function notes(): array
    {
        $before = $this->before->profile->metrics();
        $after = $this->after->profile->metrics();
        $notes = $this->recording($before, $after);
        $shared = array_intersect($before, $after);
        $left = array_values(array_diff(array_unique([...$before, ...$after]), $shared));
        if ($left !== []) {
            $labels = array_map(static fn (Metric $metric): string => $metric->label, Metric::list($left));
            $notes[] = 'Left out, because only one side has it: ' . implode(', ', $labels) . '.';
        }

        return $notes;
    }

    /**
     * @param list<string> $before metrics
     * @param list<string> $after
     * @return list<string> no or one sentence on how the two were recorded
     */
    private function recording(array $before, array $after): array
    {
        [$a, $b] = [$this->before->meta, $this->after->meta];
        $differences = [];
        if ($a->flags !== null && $b->flags !== null && $a->flags !== $b->flags) {
            $differences[] = sprintf('flags (%s / %s)', self::flags($a), self::flags($b));
        }
        foreach (['wall' => 'wt', 'cpu' => 'cpu'] as $use => $metric) {
            $clocks = [$a->clock[$use] ?? '', $b->clock[$use] ?? ''];
            $isCompared = in_array($metric, $before, true) && in_array($metric, $after, true);
            if ($isCompared && !in_array('', $clocks, true) && $clocks[0] !== $clocks[1]) {
                $differences[] = sprintf('%s clocks (%s)', $use === 'cpu' ? 'CPU' : $use, implode(' / ', $clocks));
            }
        }

        return $differences === []
            ? []
            : ['Recorded with different ' . implode(' and ', $differences) . ': their times do not compare.'];
    }

    private static function flags(RunMeta $meta): string
    {
        return match (true) {
            $meta->flagNames !== [] => implode(', ', $meta->flagNames),
            $meta->flags === 0 => 'none',
            default => (string) $meta->flags,
        };
    }

    /** @return array<string, ?string> parameters of index.php that name this comparison */
    public function parameters(): array
    {
        $runs = ['run1' => $this->before->repeatedIdText(), 'run2' => $this->after->repeatedIdText()];

        return $this->before->source() === $this->after->source()
            ? $runs + ['source' => $this->before->source()]
            : $runs + ['source1' => $this->before->source(), 'source2' => $this->after->source()];
    }
}
