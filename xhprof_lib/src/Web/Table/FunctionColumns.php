<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

use XHProf\Profile\CorrectedTimes;
use XHProf\Profile\Metrics;

/**
 * The columns of a run's table of functions: calls, then of the metric that one looks at exclusive, inclusive and per call, of
 * the others as much as fits beside it. Columns are known by the names of a report's rows; "per_wt" is "wt" per call.
 *
 * @phpstan-import-type HeadGroup from Columns
 */
final class FunctionColumns
{
    public const PER_CALL = 'per_';

    /** Of more metrics than that the others show their inclusive figures only. */
    private const MOST_BOTH = 4;

    /**
     * @param list<string> $metrics base keys, without "ct"
     * @param string $main the metric that one looks at
     */
    public function __construct(private readonly array $metrics, public readonly string $main)
    {
    }

    /** @return list<string> keys that the table can be sorted by, also of columns that do not show */
    public function keys(): array
    {
        $perCall = array_map(static fn (string $metric): string => self::PER_CALL . $metric, $this->metrics);

        return [...Columns::keys($this->metrics), ...$perCall];
    }

    /** @return list<string> keys of the columns of figures from left to right */
    public function shown(): array
    {
        return ['ct', ...array_merge(...array_map($this->of(...), $this->metrics))];
    }

    /**
     * @param callable(array{sort: string, dir: ?string}): string $url link that sorts by a column
     * @return list<HeadGroup>
     */
    public function head(Sorting $sorting, callable $url): array
    {
        $groups = array_slice(Columns::head([], $sorting, $url), 0, 2);
        foreach (Metric::list($this->metrics) as $metric) {
            $columns = [];
            foreach ($this->of($metric->base) as $key) {
                $label = match (true) {
                    $key === $metric->base => 'Incl.',
                    str_starts_with($key, self::PER_CALL) => 'Per call',
                    default => 'Excl.',
                };
                $columns[] = Columns::column($key, $label, self::title($key), $sorting, $url);
            }
            $groups[] = [
                'base' => $metric->base,
                'label' => $metric->label,
                'title' => Metrics::isCorrected($metric->base) ? ucfirst(CorrectedTimes::MEANING) : '',
                'columns' => $columns,
            ];
        }

        return $groups;
    }

    /** "wt" per call => "wt", null for a figure that is not per call. */
    public static function perCall(string $key): ?string
    {
        return str_starts_with($key, self::PER_CALL) ? substr($key, strlen(self::PER_CALL)) : null;
    }

    public static function title(string $key): string
    {
        $perCall = self::perCall($key);

        return $perCall === null ? Metric::of($key)->fullLabel() : Metric::of($perCall)->fullLabel() . ' per call';
    }

    /** @return list<string> */
    private function of(string $metric): array
    {
        return match (true) {
            $metric === $this->main => ["excl_$metric", $metric, self::PER_CALL . $metric],
            count($this->metrics) <= self::MOST_BOTH, Metrics::counterpart($metric) === $this->main => ["excl_$metric", $metric],
            default => [$metric],
        };
    }
}
