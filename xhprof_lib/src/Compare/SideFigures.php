<?php

declare(strict_types=1);

namespace XHProf\Compare;

use XHProf\Run\MeanRun;
use XHProf\Run\Run;
use XHProf\Stats\Distribution;
use XHProf\Stats\Significance;

/**
 * Figures of one side of a comparison by a name: of a run, or of several, where one without the name counts as 0.
 *
 * @internal
 */
final class SideFigures
{
    /**
     * @param list<array<array-key, array<string, int|float>>> $runs    of each run: name => figures
     * @param list<int>                                        $weights one per run; [] if all count alike
     */
    private function __construct(private readonly array $runs, private readonly array $weights)
    {
    }

    /**
     * @param \Closure(Run): (array<array-key, array<string, int|float>>|null) $read null for a run that does not have them
     *
     * @return self|null null if one of the runs does not
     */
    public static function of(Run $run, \Closure $read): ?self
    {
        $runs = [];
        foreach ($run instanceof MeanRun ? $run->open : [static fn (): Run => $run] as $open) {
            $figures = $read($open());
            if ($figures === null) {
                return null;
            }
            $runs[] = $figures;
        }

        return new self($runs, $run instanceof MeanRun ? $run->weights : []);
    }

    /** @return list<array-key> */
    public function names(): array
    {
        return array_keys(array_replace([], ...$this->runs));
    }

    public function has(string|int $name): bool
    {
        return array_filter($this->runs, static fn (array $run): bool => isset($run[$name])) !== [];
    }

    public function mean(string|int $name, string $figure): int|float
    {
        return $this->distribution($name, $figure)->mean();
    }

    /** @return int|float mean of the sum of all names */
    public function total(string $figure): int|float
    {
        $sums = array_map(static fn (array $run): int|float => array_sum(array_column($run, $figure)), $this->runs);

        return $sums === [] ? 0 : (new Distribution($sums, $this->weights))->mean();
    }

    /** @return float|null probability that a difference between both sides is chance; null where a side is one run */
    public function chance(self $other, string|int $name, string $figure): ?float
    {
        return Significance::welch($this->distribution($name, $figure), $other->distribution($name, $figure));
    }

    private function distribution(string|int $name, string $figure): Distribution
    {
        $values = array_map(static fn (array $run): int|float => $run[$name][$figure] ?? 0, $this->runs);

        return new Distribution($values === [] ? [0] : $values, $this->weights);
    }
}
