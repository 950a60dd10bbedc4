<?php

declare(strict_types=1);

namespace XHProf\Stats;

/**
 * One value over several runs. A run that weighs two counts as two equal runs, except in the deviation, which counts each run
 * once.
 */
final class Distribution
{
    /** Ways to combine several values into one, as in the parameter "agg". */
    public const KINDS = ['mean', 'median', 'p95', 'min', 'max', 'sd'];

    /** @var list<int|float> ascending */
    private readonly array $values;

    /** @var list<int|float> */
    private readonly array $weights;

    private readonly int|float $weight;

    /**
     * @param non-empty-list<int|float> $values  one per run
     * @param list<int|float>           $weights one per value, none negative and not all 0; none = all alike
     */
    public function __construct(array $values, array $weights = [])
    {
        if ($weights === []) {
            sort($values, SORT_NUMERIC);
            $weights = array_fill(0, count($values), 1);
        } else {
            array_multisort($values, SORT_ASC, SORT_NUMERIC, $weights);
            $isCounted = static fn (int $i): bool => $weights[$i] > 0;
            $counted = array_values(array_filter(array_keys($values), $isCounted));
            [$values, $weights] = [
                array_map(static fn (int $i): int|float => $values[$i], $counted),
                array_map(static fn (int $i): int|float => $weights[$i], $counted),
            ];
        }
        $this->values = $values;
        $this->weights = $weights;
        $this->weight = array_sum($weights);
    }

    /**
     * @param value-of<self::KINDS> $kind
     */
    public function statistic(string $kind): int|float
    {
        return match ($kind) {
            'mean' => $this->mean(),
            'median' => $this->quantile(0.5),
            'p95' => $this->quantile(0.95),
            'min' => $this->min(),
            'max' => $this->max(),
            'sd' => self::whole($this->deviation()),
        };
    }

    public function mean(): int|float
    {
        $sum = 0;
        foreach ($this->values as $i => $value) {
            $sum += $value * $this->weights[$i];
        }

        return self::whole($sum / $this->weight);
    }

    public function min(): int|float
    {
        return $this->values[0];
    }

    public function max(): int|float
    {
        return $this->values[count($this->values) - 1];
    }

    /**
     * Interpolates linearly between two values, as NumPy, R (type 7) and spreadsheets do.
     *
     * @param float $share 0 to 1
     */
    public function quantile(float $share): int|float
    {
        $at = max(0, ($this->weight - 1) * $share);
        $below = $this->at(floor($at));
        $above = $this->at(ceil($at));

        return self::whole($below + ($above - $below) * ($at - floor($at)));
    }

    /**
     * @return float of a sample (n - 1); 0 of a single run
     */
    public function deviation(): float
    {
        $count = count($this->values);
        if ($count < 2) {
            return 0.0;
        }
        $mean = $this->mean();
        $sum = 0.0;
        foreach ($this->values as $i => $value) {
            $sum += $this->weights[$i] * ($value - $mean) ** 2;
        }

        return sqrt($sum / $this->weight * $count / ($count - 1));
    }

    /**
     * @return float|null the deviation as a share of the mean; null if the mean is 0
     */
    public function variation(): ?float
    {
        $mean = $this->mean();

        return $mean == 0 ? null : $this->deviation() / abs($mean);
    }

    /** Number of runs. */
    public function count(): int
    {
        return count($this->values);
    }

    /** The value at this position if each is repeated as often as it weighs. */
    private function at(float $position): int|float
    {
        $end = 0;
        foreach ($this->values as $i => $value) {
            $end += $this->weights[$i];
            if ($position < $end) {
                return $value;
            }
        }

        return $this->max();
    }

    private static function whole(int|float $value): int|float
    {
        return is_float($value) && abs($value) < 2 ** 53 && floor($value) === $value ? (int) $value : $value;
    }
}
