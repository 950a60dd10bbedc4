<?php

declare(strict_types=1);

namespace XHProf\Report;

use XHProf\Profile\EdgeKey;
use XHProf\Profile\Profile;

/**
 * Per function: calls, inclusive and exclusive figures. Exclusive = inclusive minus what its calls took, never clamped, so that
 * the exclusive figures of all rows add up to the inclusive ones of the roots exactly.
 *
 * A row is [ct, wt, cpu..., excl_wt, excl_cpu...], in microseconds and bytes, with every metric of the profile.
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

    public static function of(Profile $profile): self
    {
        $metrics = $profile->metrics();
        $blank = ['ct' => 0];
        foreach ($metrics as $metric) {
            $blank[$metric] = 0;
        }
        $inclusive = [];
        $spent = [];
        foreach ($profile->sums() as $key => $row) {
            [$caller, $callee] = EdgeKey::parse($key);
            $inclusive[$callee] ??= $blank;
            $inclusive[$callee]['ct'] += $row['ct'];
            if ($caller === $callee) {
                // A tool without recursion levels: the time of the inner call is already in the outer one's.
                continue;
            }
            if ($caller !== null) {
                $spent[$caller] ??= $blank;
            }
            foreach ($metrics as $metric) {
                if (isset($row[$metric])) {
                    $inclusive[$callee][$metric] += $row[$metric];
                    if ($caller !== null) {
                        $spent[$caller][$metric] += $row[$metric];
                    }
                }
            }
        }

        $rows = self::withExclusive($inclusive, $spent, $metrics);

        return new self($profile, $profile->isMean() ? array_map($profile->divide(...), $rows) : $rows);
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
     * @param array<string, Row> $inclusive per callee
     * @param array<string, Row> $spent     per caller, in its calls
     * @param list<string>       $metrics
     *
     * @return array<string, Row>
     */
    private static function withExclusive(array $inclusive, array $spent, array $metrics): array
    {
        // A caller that nobody called and that has no figure of its own took what its calls took.
        foreach (array_diff_key($spent, $inclusive) as $symbol => $row) {
            $inclusive[$symbol] = $row;
        }
        foreach (array_keys($inclusive) as $symbol) {
            $row = $inclusive[$symbol];
            foreach ($metrics as $metric) {
                $row['excl_' . $metric] = $row[$metric] - ($spent[$symbol][$metric] ?? 0);
            }
            $inclusive[$symbol] = $row;
            unset($spent[$symbol]);
        }

        return $inclusive;
    }
}
