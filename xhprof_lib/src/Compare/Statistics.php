<?php

declare(strict_types=1);

namespace XHProf\Compare;

use XHProf\Exception\InvalidProfile;
use XHProf\Exception\UnknownMetric;
use XHProf\Functions\FlatReport;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Profile;
use XHProf\Run\MeanRun;
use XHProf\Run\Run;
use XHProf\Stats\Distribution;

/**
 * Values of several runs and their spread: per function the values of each run, inclusive and exclusive,
 * in the columns of FlatReport. A function that a run did not call counts as 0 there, so that means add up.
 *
 * Runs are read one at a time and released: 8 bytes per value stay.
 */
final class Statistics
{
    /** @var array<string, string> function => numbers of the runs that have it, packed */
    private array $runs = [];

    /** @var array<string, array<string, string>> column => function => its figures in those runs, packed */
    private array $figures = [];

    /** @var list<array<string, int|float>> per run */
    private array $totals = [];

    /** @var list<string>|null */
    private ?array $metrics = null;

    /**
     * @param list<int|float> $weights one per run, none = all alike
     * @param bool            $fold    the levels of a recursion (f, f@1, f@2) as one function
     */
    public function __construct(private readonly array $weights = [], private readonly bool $fold = false)
    {
    }

    /**
     * @param iterable<Profile> $runs
     * @param list<int|float>   $weights
     *
     * @throws InvalidProfile if there is none
     */
    public static function compute(iterable $runs, array $weights = []): self
    {
        $statistics = new self($weights);
        foreach ($runs as $run) {
            $statistics->add($run);
            unset($run);
        }

        return $statistics->totals === [] ? throw new InvalidProfile('there is no run to make a mean of') : $statistics;
    }

    /**
     * Returns the statistics of the runs that a mean is made of. They are computed with the mean, by Run::profile().
     *
     * @param bool $fold the levels of a recursion (f, f@1, f@2) as one function
     *
     * @return ($run is MeanRun ? self : self|null) null for one run
     */
    public static function ofMean(Run $run, bool $fold): ?self
    {
        if (!$run instanceof MeanRun) {
            return null;
        }
        $statistics = new self($run->weights, $fold);
        $run->eachProfile($statistics->add(...));

        return $statistics;
    }

    public function add(Profile $run): void
    {
        $number = pack('V', count($this->totals));
        $this->totals[] = $run->totals();
        $this->metrics = array_values(array_intersect($this->metrics ?? $run->metrics(), $run->metrics()));
        $columns = $this->columns();
        $this->figures = array_intersect_key($this->figures + array_fill_keys($columns, []), array_flip($columns));
        foreach (FlatReport::compute($run, $this->fold)->rows() as $name => $row) {
            $this->runs[$name] = ($this->runs[$name] ?? '') . $number;
            foreach ($columns as $column) {
                $this->figures[$column][$name] = ($this->figures[$column][$name] ?? '') . pack('e', $row[$column]);
            }
        }
    }

    /**
     * @param array<string, string> $map as Profile::renamed() takes it
     *
     * @return self the same runs, whose functions have these names
     */
    public function renamed(array $map): self
    {
        $renamed = clone $this;
        $rename = static function (array $rows) use ($map): array {
            $keys = array_map(static fn (int|string $name): string => EdgeKey::renamed((string) $name, $map), array_keys($rows));

            return array_combine($keys, $rows);
        };
        if ($map !== []) {
            $renamed->runs = $rename($this->runs);
            $renamed->figures = array_map($rename, $this->figures);
        }

        return $renamed;
    }

    /** Number of runs. */
    public function count(): int
    {
        return count($this->totals);
    }

    /**
     * @return list<string> metrics that all runs have, without "ct"
     */
    public function metrics(): array
    {
        return $this->metrics ?? [];
    }

    /**
     * @return list<string> ct, wt, cpu..., excl_wt, excl_cpu...
     */
    public function columns(): array
    {
        $exclusive = array_map(static fn (string $metric): string => "excl_$metric", $this->metrics());

        return ['ct', ...$this->metrics(), ...$exclusive];
    }

    /**
     * @return list<string>
     */
    public function functions(): array
    {
        return array_map(strval(...), array_keys($this->runs));
    }

    /**
     * @return int number of runs that have the function
     */
    public function runsWith(string $function): int
    {
        return intdiv(strlen($this->runs[$function] ?? ''), 4);
    }

    /**
     * @return non-empty-list<int|float> the function's figure in each run, 0 if it is not called
     *
     * @throws UnknownMetric
     */
    public function values(string $function, string $column): array
    {
        if (!isset($this->figures[$column])) {
            throw new UnknownMetric("the runs have no metric \"$column\"");
        }
        $packed = $this->figures[$column][$function] ?? '';
        /** @var array<int, int> $numbers */
        $numbers = $packed === '' ? [] : unpack('V*', $this->runs[$function]);
        /** @var array<int, float> $figures */
        $figures = $packed === '' ? [] : unpack('e*', $packed);
        $values = array_fill(0, max(1, $this->count()), 0);
        foreach ($figures as $i => $value) {
            $values[$numbers[$i]] = abs($value) < 2 ** 53 && floor($value) === $value ? (int) $value : $value;
        }

        return array_values($values);
    }

    /**
     * @throws UnknownMetric
     */
    public function distribution(string $function, string $column): Distribution
    {
        return new Distribution($this->values($function, $column), $this->weights);
    }

    /**
     * Totals of the runs.
     *
     * @return non-empty-list<int|float> per run
     *
     * @throws UnknownMetric
     */
    public function totalValues(string $metric): array
    {
        $values = [];
        foreach ($this->totals as $totals) {
            $values[] = $totals[$metric] ?? throw new UnknownMetric("the runs have no metric \"$metric\"");
        }

        return $values === [] ? [0] : $values;
    }

    /**
     * @throws UnknownMetric
     */
    public function total(string $metric): Distribution
    {
        return new Distribution($this->totalValues($metric), $this->weights);
    }
}
