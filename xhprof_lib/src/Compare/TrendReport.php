<?php

declare(strict_types=1);

namespace XHProf\Compare;

use XHProf\Format\Units;
use XHProf\Profile\Metrics;
use XHProf\Stats\Distribution;
use XHProf\Stats\Outliers;
use XHProf\Store\RunEntry;

/**
 * One figure of runs, or of a function or a route in them, run after run: the values, those far from the others, the median, and
 * where something was deployed.
 *
 * @phpstan-type Figures array<string, int|float>
 */
final class TrendReport
{
    /** Metrics of whole runs that the index has. */
    private const METRICS = ['wt', 'cpu', 'mu', 'pmu', 'ct'];

    /** Requests of a window that is compared with others: this many, and this part of the median. */
    private const FEWEST = 2;
    private const VOLUME = 0.1;

    /** @var list<string> metrics that any run has */
    public readonly array $metrics;

    /** @var string the metric that is shown */
    public readonly string $metric;

    /** @var string its column of the figures */
    public readonly string $column;

    /** @var array<int, int|float> position of a run => its value, where it has one */
    public readonly array $values;

    /** @var array<int, true> positions of the values that are far from the others */
    public readonly array $outliers;

    private readonly int|float $median;

    /**
     * @param list<RunEntry> $runs oldest first
     * @param list<Figures|null> $figures of each; null where the function is not called, or the route has no requests
     * @param string $metric the wanted one; an unknown one stands for the first
     * @param bool $isOwn whether the exclusive value is wanted
     * @param bool $hasCalls whether calls are counted in such figures
     */
    public function __construct(
        public readonly array $runs,
        private readonly array $figures,
        string $metric,
        bool $isOwn,
        bool $hasCalls,
    ) {
        $found = [];
        foreach ($figures as $row) {
            $found += array_filter($row ?? [], static fn (string $key): bool
                => $key !== 'ct' && !str_starts_with($key, 'excl_'), ARRAY_FILTER_USE_KEY);
        }
        $isSampled = array_filter($runs, static fn (RunEntry $run): bool => $run->meta->recording->samples !== null) !== [];
        // Older windows have fewer: the order is that of all metrics.
        $ordered = array_keys(array_intersect_key(Metrics::all(), $found) + $found);
        $this->metrics = [...$ordered, ...($hasCalls && !$isSampled ? ['ct'] : [])];
        $this->metric = in_array($metric, $this->metrics, true) ? $metric : $this->metrics[0] ?? 'wt';
        $this->column = $isOwn && $this->metric !== 'ct' ? "excl_$this->metric" : $this->metric;
        $values = array_map(fn (?array $row): int|float|null => $row[$this->column] ?? null, $figures);
        $this->values = array_filter($values, static fn (int|float|null $value): bool => $value !== null);
        $known = array_values($this->values);
        $odd = array_intersect_key(array_keys($this->values), Outliers::positions($known));
        $this->outliers = array_fill_keys($odd, true);
        $this->median = $known === [] ? 0 : (new Distribution($known))->quantile(0.5);
    }

    /**
     * @param list<RunEntry> $runs
     *
     * @return list<Figures> totals that the index has
     */
    public static function totals(array $runs): array
    {
        return array_map(static function (RunEntry $run): array {
            $values = [];
            foreach (self::METRICS as $metric) {
                $value = $run->value($metric);
                if (is_int($value)) {
                    $values[$metric === 'pmu' ? Metrics::PROCESS_PEAK : $metric] = $value;
                }
            }

            return $values;
        }, $runs);
    }

    /** How far the value of a run is from the median, in words; '' if it has none. */
    public function away(int $position): string
    {
        return isset($this->values[$position]) ? Units::growth($this->median, $this->values[$position]) : '';
    }

    /**
     * One sentence: the median, and the newest run compared with it. A window of a few requests says nothing beside full ones.
     *
     * @param string $label of the figure
     * @param string $noun  "run" or "window"
     */
    public function sum(string $label, string $noun): string
    {
        if ($this->values === []) {
            return '';
        }
        $count = count($this->values);
        $variation = (new Distribution(array_values($this->values)))->variation();
        $start = sprintf(
            '%s: median %s of %d %s%s; ',
            $label,
            Units::ofMetric($this->median, $this->column),
            $count,
            $count === 1 ? $noun : $noun . 's',
            $variation === null ? '' : ' (± ' . Units::percent($variation, 1) . ')',
        );
        $requests = array_map(
            fn (int $i): int|float|null => $this->figures[$i][Metrics::REQUESTS] ?? $this->runs[$i]->meta->window?->requests,
            array_keys($this->runs),
        );
        $counts = array_intersect_key($requests, $this->values);
        $counts = array_values(array_filter($counts, static fn (int|float|null $count): bool => $count !== null));
        $least = $counts === [] ? 0 : max(self::FEWEST, self::VOLUME * (new Distribution($counts))->quantile(0.5));
        $full = array_filter($this->values, static fn (int $i): bool => ($requests[$i] ?? $least) >= $least, ARRAY_FILTER_USE_KEY);
        if ($full === []) {
            return $start . 'no window has enough requests to be compared.';
        }
        $last = $full[array_key_last($full)];
        $growth = Units::growth($this->median, $last);
        $isNewest = array_key_last($full) === array_key_last($this->values);

        return $start . sprintf(
            '%s %s%s.',
            $isNewest ? 'latest' : 'latest with ' . Units::count((int) ceil($least)) . ' requests or more',
            Units::ofMetric($last, $this->column),
            $growth === '' ? '' : ", $growth",
        );
    }

    /**
     * Runs before which something was deployed: those of another release or revision, or with other tags than the run before.
     *
     * @return list<array{at: int, text: string}> their positions
     */
    public function marks(): array
    {
        $marks = [];
        $before = null;
        foreach ($this->runs as $at => $run) {
            $now = [$run->meta->origin->revision(), implode(', ', $run->label->tags)];
            $changed = array_filter($now, static fn (string $text, int $i): bool
                => $before !== null && $text !== '' && $text !== $before[$i], ARRAY_FILTER_USE_BOTH);
            if ($changed !== []) {
                $marks[] = ['at' => $at, 'text' => implode(' ', $changed)];
            }
            $before = $now;
        }

        return $marks;
    }
}
