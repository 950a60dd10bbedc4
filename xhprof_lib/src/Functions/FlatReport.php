<?php

declare(strict_types=1);

namespace XHProf\Functions;

use XHProf\Profile\Profile;
use XHProf\Profile\SampleCount;

/**
 * Per function: calls, inclusive and exclusive values. Exclusive = inclusive minus the values of its calls, never clamped, so
 * that the exclusive values of all rows add up to the inclusive ones of the roots exactly.
 *
 * A row is [ct, wt, cpu..., excl_wt, excl_cpu...], in microseconds and bytes, with every metric of the profile. For a sampled
 * run, "ct" is the number of samples taken in the function itself: see SampleCount.
 *
 * @phpstan-type Row array<string, int|float>
 */
final class FlatReport
{
    /**
     * @param array<string, Row> $rows
     */
    private function __construct(private readonly Profile $profile, private readonly array $rows)
    {
    }

    /**
     * @param bool $fold the levels of a recursion (f, f@1, f@2) as one function
     * @param list<string>|null $metrics those that are wanted of a view of the edges; null for all
     */
    public static function compute(Profile $profile, bool $fold = false, ?array $metrics = null): self
    {
        $counting = $profile->samples() === null ? [] : SampleCount::metric($profile->metrics());
        $figures = $profile->functions($metrics === null ? null : array_values(array_unique([...$metrics, ...$counting])));
        // The levels of a recursion are added up before their sums are divided: fractions leave a rest.
        [$atOnce, $later] = $profile->isDivided() ? [!$fold, $fold] : [false, false];
        $rows = [];
        foreach ($figures->names as $function => $name) {
            $row = [];
            foreach ($figures->columns as $metric => $column) {
                $row[$metric] = $column[$function];
            }
            $rows[$name] = $atOnce ? $profile->divide($row) : $row;
        }
        $rows = $fold ? Recursion::fold($rows) : $rows;
        foreach ($later ? array_keys($rows) : [] as $name) {
            $rows[$name] = $profile->divide($rows[$name]);
        }
        $samples = $profile->samples();

        return new self($profile, $samples === null ? $rows : array_map($samples->row(...), $rows));
    }

    /**
     * @return array<string, array{ct: int|float, ...<string, int|float>}> function => row
     */
    public function rows(): array
    {
        /** @var array<string, array{ct: int|float, ...<string, int|float>}> */
        return $this->rows;
    }

    /**
     * @param string $metric "fn" (by name, ascending) or a column of the rows (largest first, same figures by name)
     * @param int    $limit  0 = all
     *
     * @return array<string, array{ct: int|float, ...<string, int|float>}>
     *
     * @throws \XHProf\Exception\UnknownMetric
     */
    public function sorted(string $metric, int $limit = 0): array
    {
        /** @var array<string, array{ct: int|float, ...<string, int|float>}> */
        return RowRanking::rows($this->rows, $metric, $limit);
    }

    /**
     * @return array<string, int|float> see Profile::totals()
     */
    public function totals(): array
    {
        return $this->profile->totals();
    }

    /**
     * @return list<string> without "ct" and the exclusive ones
     */
    public function metrics(): array
    {
        return $this->profile->metrics();
    }
}
