<?php

declare(strict_types=1);

namespace XHProf\Report;

use XHProf\Profile\Profile;

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
     */
    public static function of(Profile $profile, bool $fold = false): self
    {
        ['caller' => $caller, 'callee' => $callee] = $profile->calls();
        $edges = $profile->sums();
        $blank = array_fill(0, count($profile->symbols()), 0);
        $inclusive = ['ct' => $blank];
        foreach (self::column($edges, 'ct') as $edge => $calls) {
            $inclusive['ct'][$callee[$edge]] += $calls;
        }
        $spent = [];
        foreach ($profile->metrics() as $metric) {
            [$taken, $made] = [$blank, $blank];
            foreach (self::column($edges, $metric) as $edge => $value) {
                $from = $caller[$edge];
                $to = $callee[$edge];
                // A tool without recursion levels: the time of the inner call is already in the outer one's.
                if ($from !== $to) {
                    $taken[$to] += $value;
                    if ($from !== -1) {
                        $made[$from] += $value;
                    }
                }
            }
            [$inclusive[$metric], $spent[$metric]] = [$taken, $made];
        }

        $rows = self::assemble($profile, $inclusive, $spent);
        $rows = $fold ? Recursion::fold($rows) : $rows;
        $samples = $profile->samples();

        return new self($profile, $samples === null ? $rows : array_map($samples->row(...), $rows));
    }

    /**
     * @param array<string, Row> $edges
     *
     * @return list<int|float> one per edge, also where a row has none
     */
    private static function column(array $edges, string $metric): array
    {
        $column = array_column($edges, $metric);

        return count($column) === count($edges)
            ? $column
            : array_values(array_map(static fn (array $row): int|float => $row[$metric] ?? 0, $edges));
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
        return Sorting::rows($this->rows, $metric, $limit);
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

    /**
     * @param array<string, array<int, int|float>> $inclusive by metric and function
     * @param array<string, array<int, int|float>> $spent     by metric and function, in the calls it made
     *
     * @return array<string, Row> called functions, then roots
     */
    private static function assemble(Profile $profile, array $inclusive, array $spent): array
    {
        $names = $profile->symbols();
        $metrics = $profile->metrics();
        $isDivided = $profile->isDivided();
        ['caller' => $caller, 'callee' => $callee] = $profile->calls();
        $called = array_fill_keys($callee, true);
        $callers = array_fill_keys($caller, false);
        unset($callers[-1]);
        $rows = [];
        foreach ($called + $callers as $function => $isCalled) {
            $row = ['ct' => $inclusive['ct'][$function]];
            foreach ($metrics as $metric) {
                // A root without a value of its own has the sum of its calls.
                $row[$metric] = ($isCalled ? $inclusive : $spent)[$metric][$function];
            }
            foreach ($metrics as $metric) {
                $row["excl_$metric"] = $row[$metric] - $spent[$metric][$function];
            }
            $rows[$names[$function]] = $isDivided ? $profile->divide($row) : $row;
        }

        return $rows;
    }
}
