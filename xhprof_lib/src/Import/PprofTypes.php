<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Profile\Metrics;

/**
 * What the values of a pprof file count, as metrics of a run.
 *
 * @internal
 */
final class PprofTypes
{
    /** Nanoseconds of a unit of time. */
    private const TIMES = [
        'nanoseconds' => 1, 'ns' => 1, 'microseconds' => 1000, 'us' => 1000, 'milliseconds' => 1000000, 'ms' => 1000000,
        'seconds' => 1000000000, 's' => 1000000000,
    ];

    /** What other tools call the time that passes, and samples. */
    private const NAMES = ['time' => 'wt', 'delay' => 'wt', 'sample' => 'samples', 'samples' => 'samples'];

    private const LARGEST = 1 << 60;

    /** Allocations are no metric of edges: where nothing else is counted the first of these is the memory. */
    private const MEMORY = ['live_bytes', 'space', 'allocated_bytes'];

    /**
     * @param list<array{string, int}|null> $metrics metric and factor of each value; null for one that is left out
     * @param int|null                      $calls   the value that is the number of calls, or of samples
     */
    private function __construct(private readonly array $metrics, private readonly ?int $calls)
    {
    }

    /**
     * @param list<array{string, string}> $types name and unit of each value
     *
     * @throws InvalidProfile
     */
    public static function parse(array $types): self
    {
        if ($types === [] || count($types) > 32) {
            throw new InvalidProfile('the file counts nothing, or too much');
        }
        $ours = [];
        foreach (Metrics::all() as $key => $metric) {
            if ($metric->pprof !== '') {
                $ours[$metric->pprof] = $key;
            }
        }
        $metrics = [];
        $calls = null;
        foreach ($types as $i => [$name, $unit]) {
            $key = $ours[$name] ?? self::NAMES[$name] ?? (string) preg_replace('/[^A-Za-z0-9_.]/', '', $name);
            $factor = self::TIMES[$unit] ?? null;
            if ($key === 'ct') {
                $calls = $i;
            }
            if (($factor !== null) !== Metrics::isTime($key)) {
                // A time of another name, or the name of a time that counts something else.
                $key = $factor !== null && !in_array('wt', array_column($metrics, 0), true) ? 'wt' : "pprof.$key";
            }
            $isNew = Metrics::isFigure($key) && !in_array($key, array_column(array_filter($metrics), 0), true);
            $metrics[] = $isNew ? [$key, Metrics::isTime($key) ? $factor ?? 1 : 1] : null;
        }
        foreach (array_column($types, 0) as $i => $name) {
            $calls ??= (self::NAMES[$name] ?? '') === 'samples' ? $i : null;
        }

        return new self(self::withMemory($metrics, array_column($types, 0)), $calls);
    }

    /**
     * @param list<int> $values
     *
     * @return array<string, int> by metric
     */
    public function figures(array $values): array
    {
        $figures = [];
        foreach ($this->metrics as $i => $metric) {
            if ($metric !== null) {
                $value = $values[$i] ?? 0;
                if (abs($value) > self::LARGEST / $metric[1]) {
                    throw new InvalidProfile('a value is too large');
                }
                $figures[$metric[0]] = $value * $metric[1];
            }
        }

        return $figures;
    }

    /** @param list<int> $values */
    public function calls(array $values): int
    {
        return $this->calls === null ? 1 : max(0, $values[$this->calls] ?? 0);
    }

    /**
     * @param list<array{string, int}|null> $metrics
     * @param list<string>                  $names   of the types
     *
     * @return list<array{string, int}|null>
     */
    private static function withMemory(array $metrics, array $names): array
    {
        foreach ($metrics as $metric) {
            if ($metric !== null && !Metrics::isAllocation($metric[0])) {
                return $metrics;
            }
        }
        foreach (self::MEMORY as $memory) {
            $at = array_search(Metrics::of($memory)->pprof, $names, true);
            if ($at !== false) {
                return array_map(
                    static fn (?array $metric, int $i): ?array => $i === $at ? ['mu', 1] : $metric,
                    $metrics,
                    array_keys($metrics),
                );
            }
        }

        return $metrics;
    }
}
