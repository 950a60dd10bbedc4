<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\InvalidProfile;

/**
 * One run as the classic array of call edges: "caller==>callee" => [ct, wt, cpu?, mu?, pmu?], inclusive, in microseconds and
 * bytes. Validated once, never changed after.
 *
 * Figures of a run are integers. The mean of several is kept as sums and what they are to be divided by: reports add and
 * subtract the sums and divide last, so that parts add up to the whole and nothing is rounded on the way.
 *
 * @phpstan-type Row array<string, int|float>
 */
final class Profile
{
    /** Sums of absolute values stay below this, so that no sum or difference of two runs can leave the integers. */
    private const MAX_SUM = 1 << 61;

    /** Besides "ct". Every report and list has a column for each. */
    private const MAX_METRICS = 32;

    /** @var array<string, int|float>|null */
    private ?array $totals = null;

    /**
     * @param array<string, Row>   $edges
     * @param list<string>         $metrics
     * @param array<string, true>  $symbols
     * @param int|float            $divisor more than 0
     */
    private function __construct(
        private readonly array $edges,
        private readonly array $metrics,
        private readonly array $symbols,
        private readonly int|float $divisor = 1,
    ) {
    }

    /**
     * Copies and checks the edges. Metrics may be missing; a missing "ct" counts as 0; finite floats are rounded.
     * Texts of numbers are read.
     *
     * @param array<mixed> $edges
     *
     * @throws InvalidProfile
     */
    public static function fromEdges(array $edges): self
    {
        return self::checked($edges, 1, false);
    }

    /**
     * The mean of several runs. A function may have been called a third of a time in it.
     *
     * @param array<string, Row> $sums    per edge, each with "ct"
     * @param int|float          $divisor number of runs, or the sum of their weights; more than 0
     *
     * @throws InvalidProfile
     */
    public static function mean(array $sums, int|float $divisor): self
    {
        return self::checked($sums, $divisor, true);
    }

    /**
     * @param array<mixed> $edges
     * @param bool         $fractions whether figures may be other than whole
     *
     * @throws InvalidProfile
     */
    private static function checked(array $edges, int|float $divisor, bool $fractions): self
    {
        if ($edges === []) {
            throw new InvalidProfile('the profile has no calls');
        }
        $symbols = [];
        $sums = [];
        // Rows are replaced one by one, not copied as a whole: a large run must not be in memory twice.
        foreach (array_keys($edges) as $key) {
            $row = $edges[$key];
            unset($edges[$key]);
            $key = (string) $key;
            if (!is_array($row)) {
                throw new InvalidProfile(self::at($key) . ' is ' . get_debug_type($row) . ', not an array of metrics');
            }
            $copy = isset($row['ct']) ? [] : ['ct' => 0];
            foreach ($row as $metric => $value) {
                if (!is_int($value) && !($fractions && is_float($value) && is_finite($value))) {
                    $value = self::toInt($value, $key, (string) $metric);
                }
                $copy[(string) $metric] = $value;
                $isNew = $metric !== 'ct' && !isset($sums[$metric]);
                if ($isNew && count($sums) - (int) isset($sums['ct']) === self::MAX_METRICS) {
                    throw new InvalidProfile(sprintf('%s makes it more than %d metrics', self::at($key), self::MAX_METRICS));
                }
                $sums[$metric] = ($sums[$metric] ?? 0) + ($value < 0 ? -$value : $value);
            }
            $edges[$key] = $copy;
            $at = strpos($key, EdgeKey::SEPARATOR);
            if ($at === false) {
                $symbols[$key] = true;
            } else {
                $symbols[substr($key, 0, $at)] = true;
                $symbols[substr($key, $at + 3)] = true;
            }
        }

        /** @var array<string, Row> $edges */
        return new self($edges, self::checkMetrics($sums), self::checkSymbols($symbols), $divisor);
    }

    /**
     * @return array<string, Row> in the order they were recorded, each with "ct"; whole numbers but in a mean
     */
    public function edges(): array
    {
        return $this->divisor === 1 ? $this->edges : array_map($this->divide(...), $this->edges);
    }

    /**
     * For reports: the edges before divide(), which of one run are the same.
     *
     * @return array<string, Row>
     */
    public function sums(): array
    {
        return $this->edges;
    }

    /**
     * @param Row $row sums and differences of sums()
     *
     * @return Row the figures of the run, or of the mean
     */
    public function divide(array $row): array
    {
        if ($this->divisor === 1) {
            return $row;
        }
        foreach ($row as $column => $sum) {
            // What cancels out in floating point leaves a little; sums of whole weights are whole.
            $row[$column] = is_int($sum) ? $sum / $this->divisor : round($sum / $this->divisor, 6);
        }

        return $row;
    }

    /**
     * @param array<string, mixed> $keys of edges
     *
     * @return self with these edges only, but every metric
     */
    public function part(array $keys): self
    {
        return new self(array_intersect_key($this->edges, $keys), $this->metrics, $this->symbols, $this->divisor);
    }

    public function isMean(): bool
    {
        return $this->divisor !== 1;
    }

    /**
     * @return list<string> metrics found on any edge (wt, cpu, mu, pmu...), without "ct"
     */
    public function metrics(): array
    {
        return $this->metrics;
    }

    /**
     * What 100 % is. Per metric the largest of main() and every other root; a root without a figure of its own, or with a
     * smaller time than the calls it made (profiling stopped in a shutdown function), stands for the sum of these calls.
     *
     * @return array<string, int|float> per metric, and "ct" = calls of the whole run
     */
    public function totals(): array
    {
        return $this->totals ??= $this->divide($this->computeTotals());
    }

    public function hasSymbol(string $symbol): bool
    {
        return isset($this->symbols[$symbol]);
    }

    /**
     * @return list<string> every caller and callee once; recursion levels ("f@1") are symbols of their own
     */
    public function symbols(): array
    {
        return array_keys($this->symbols);
    }

    /**
     * @return array<string, int|float> before divide()
     */
    private function computeTotals(): array
    {
        $called = [];
        $callers = [];
        $calls = 0;
        $own = [];
        foreach ($this->edges as $key => $row) {
            [$caller, $callee] = EdgeKey::parse($key);
            $calls += $row['ct'];
            if ($caller === null) {
                $own[$callee] = $row;
            } elseif ($caller !== $callee) {
                $called[$callee] = true;
                $callers[$caller] = true;
            }
        }
        $roots = $own + array_diff_key($callers, $called);
        $made = $this->madeBy($roots);
        $totals = ['ct' => $calls];
        foreach ($this->metrics as $metric) {
            $candidates = [];
            foreach (array_keys($roots) as $root) {
                $figure = $own[$root][$metric] ?? null;
                $sum = $made[$root][$metric] ?? 0;
                $candidates[] = match (true) {
                    $figure === null => $sum,
                    Metrics::isSigned($metric) => $figure,
                    default => max($figure, $sum),
                };
            }
            $totals[$metric] = $candidates === [] ? 0 : max($candidates);
        }

        return $totals;
    }

    /**
     * @param array<string, mixed> $callers
     *
     * @return array<string, Row> what the calls of each of these took
     */
    private function madeBy(array $callers): array
    {
        $made = [];
        foreach ($this->edges as $key => $row) {
            [$caller, $callee] = EdgeKey::parse($key);
            if ($caller !== null && $caller !== $callee && isset($callers[$caller])) {
                foreach ($this->metrics as $metric) {
                    $made[$caller][$metric] = ($made[$caller][$metric] ?? 0) + ($row[$metric] ?? 0);
                }
            }
        }

        return $made;
    }

    private static function toInt(mixed $value, string $key, string $metric): int
    {
        if (is_string($value) && is_numeric($value)) {
            $value += 0;
        }
        if (is_int($value)) {
            return $value;
        }
        if (is_float($value) && is_finite($value) && abs($value) < self::MAX_SUM) {
            return (int) round($value);
        }
        throw new InvalidProfile(sprintf(
            '%s has %s for the metric "%s", not an integer',
            self::at($key),
            is_float($value) ? var_export($value, true) : get_debug_type($value),
            self::short($metric),
        ));
    }

    /**
     * @param array<array-key, int|float> $sums
     *
     * @return list<string>
     */
    private static function checkMetrics(array $sums): array
    {
        foreach ($sums as $metric => $sum) {
            if (!is_string($metric) || !Metrics::isName($metric)) {
                throw new InvalidProfile('"' . self::short((string) $metric) . '" is not the name of a metric');
            }
            if ($sum > self::MAX_SUM) {
                throw new InvalidProfile('the values of the metric "' . $metric . '" are too large');
            }
        }
        unset($sums['ct']);

        return Metrics::ordered(array_keys($sums));
    }

    /**
     * @param array<array-key, true> $symbols
     *
     * @return array<string, true>
     */
    private static function checkSymbols(array $symbols): array
    {
        foreach ($symbols as $symbol => $_) {
            // PHP turns "12" into the array key 12. No function can be called that; letting it in would break every caller.
            if (!is_string($symbol) || $symbol === '') {
                throw new InvalidProfile('"' . $symbol . '" is not the name of a function');
            }
        }

        /** @var array<string, true> $symbols */
        return $symbols;
    }

    private static function at(string $key): string
    {
        return 'the edge "' . self::short($key) . '"';
    }

    /** Keeps messages on one line, whatever bytes the name holds. */
    private static function short(string $text): string
    {
        $text = strlen($text) > 80 ? substr($text, 0, 77) . '...' : $text;

        return addcslashes($text, "\0..\37\"\\\177..\377");
    }
}
