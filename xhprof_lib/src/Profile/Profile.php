<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\InvalidProfile;

/**
 * One run as the classic array of call edges: "caller==>callee" => [ct, wt, cpu?, mu?, pmu?], inclusive, in microseconds and
 * bytes. Validated once, never changed after.
 *
 * Values of a run are integers. The mean of several is kept as sums and a divisor: reports add and subtract the
 * sums and divide last, so that parts add up to the whole and nothing is rounded on the way. Times known to the nanosecond (of a
 * call tree) are kept so, and divided last too.
 *
 * @phpstan-type Row array<string, int|float>
 */
final class Profile
{
    /** Besides "ct". Every report and list has a column for each. */
    private const MAX_METRICS = 32;

    /** @var array<string, int|float>|null */
    private ?array $totals = null;

    private ?SampleCount $samples = null;

    /** @var self|(\Closure(): self)|null the same run with times in whole microseconds, where it has nanoseconds */
    private self|\Closure|null $recorded = null;

    /** @var array<string, int> per column of reports the nanoseconds of a unit, where it has nanoseconds */
    private array $perUnit = [];

    /** @var array<string, int>|null symbol => its number */
    private ?array $symbols = null;

    /**
     * @param array<string, Row>|null $edges  null: they are made of the tree's when they are asked for
     * @param list<string>            $metrics
     * @param int|float               $divisor more than 0
     * @param array{caller: list<int>, callee: list<int>}|null $calls per edge; null: the tree's
     * @param TreeEdges|null          $tree   where the edges are a tree's
     */
    private function __construct(
        private ?array $edges,
        private readonly array $metrics,
        private readonly int|float $divisor,
        private ?array $calls = null,
        private readonly ?TreeEdges $tree = null,
    ) {
    }

    /**
     * Copies and checks the edges. Metrics may be missing; a missing "ct" counts as 0; finite floats are rounded.
     * Numeric strings are converted.
     *
     * @param array<mixed> $edges
     * @param bool         $references whether rows or values may be references; false avoids copying a large run
     * @param bool         $fractions  whether floats are kept, as of a mean that has been divided
     *
     * @throws InvalidProfile
     */
    public static function fromEdges(array $edges, bool $references = true, bool $fractions = false): self
    {
        return self::checked($references ? self::copied($edges) : $edges, 1, $fractions);
    }

    /**
     * The edges of a call tree, with times to the nanosecond where their sums allow that. What is wrong with the tree is found when
     * it is read.
     *
     * @throws InvalidProfile
     *
     * @internal
     */
    public static function ofTree(TreeNodes $nodes): self
    {
        $tree = new TreeEdges($nodes);

        return $nodes->fits ? self::ofEdges($tree) : $tree->rounded()->recorded();
    }

    private static function ofEdges(TreeEdges $tree): self
    {
        $profile = new self(null, $tree->metrics(), 1, null, $tree);
        $profile->setExact();
        $profile->recorded = static fn (): self => $tree->rounded()->recorded();

        return $profile;
    }

    /** Makes nanoseconds the unit of the times. */
    private function setExact(): void
    {
        foreach (array_filter($this->metrics, Metrics::isTime(...)) as $metric) {
            $this->perUnit[$metric] = $this->perUnit["excl_$metric"] = 1000;
        }
    }

    /**
     * The mean of several runs. Its call counts may be fractions.
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
        $known = [];
        foreach ($edges as $key => $row) {
            if (!is_array($row)) {
                throw new InvalidProfile(self::edge((string) $key) . ' is ' . get_debug_type($row) . ', not an array of metrics');
            }
            // A valid row is kept as it is: a large run is neither copied nor in memory twice.
            if (!isset($row['ct']) && !array_key_exists('ct', $row)) {
                $edges[$key] = $row = ['ct' => 0] + $row;
            }
            foreach ($row as $value) {
                if (!is_int($value)) {
                    $edges[$key] = $row = self::numbers($row, (string) $key, $fractions);
                    break;
                }
            }
            $known += $row;
            if (count($known) > self::MAX_METRICS + 1) {
                $most = self::MAX_METRICS;
                throw new InvalidProfile(self::edge((string) $key) . " makes it more than $most metrics");
            }
        }
        $metrics = self::checkMetrics(array_keys($known), $edges);

        /** @var array<string, Row> $edges */
        return self::ofRows($edges, $metrics, $divisor);
    }

    /**
     * Replaces references by values, one row after the other: a large run must not be in memory twice.
     *
     * @param array<mixed> $edges
     *
     * @return array<mixed>
     */
    private static function copied(array $edges): array
    {
        $copies = [];
        foreach (array_keys($edges) as $key) {
            $row = $edges[$key];
            unset($edges[$key]);
            if (is_array($row)) {
                $values = [];
                foreach ($row as $metric => $value) {
                    $values[$metric] = $value;
                }
                $row = $values;
            }
            $copies[$key] = $row;
        }

        return $copies;
    }

    /**
     * @param array<mixed> $row
     * @param bool         $fractions whether figures may be other than whole
     *
     * @return array<array-key, int|float>
     */
    private static function numbers(array $row, string $key, bool $fractions): array
    {
        $numbers = [];
        foreach ($row as $metric => $value) {
            $isNumber = is_int($value) || ($fractions && is_float($value) && is_finite($value));
            $numbers[$metric] = $isNumber ? $value : self::toInt($value, $key, (string) $metric);
        }

        return $numbers;
    }

    /**
     * @param array<string, Row> $edges
     * @param list<string>       $metrics
     *
     * @throws InvalidProfile
     */
    private static function ofRows(array $edges, array $metrics, int|float $divisor): self
    {
        $ids = $caller = $callee = [];
        foreach ($edges as $key => $_) {
            $key = (string) $key;
            $at = strpos($key, EdgeKey::SEPARATOR);
            if ($at === false) {
                $caller[] = -1;
                $callee[] = $ids[$key] ??= count($ids);
            } else {
                $caller[] = $ids[substr($key, 0, $at)] ??= count($ids);
                $callee[] = $ids[substr($key, $at + 3)] ??= count($ids);
            }
        }
        $profile = new self($edges, $metrics, $divisor, ['caller' => $caller, 'callee' => $callee]);
        $profile->symbols = self::checkSymbols($ids);

        return $profile;
    }

    /**
     * Caller and callee of each edge in the order of edges(): indexes into symbols(), -1 for no caller. Splitting the keys of
     * the edges is half the work of a report; this does it once.
     *
     * @return array{caller: list<int>, callee: list<int>}
     */
    public function calls(): array
    {
        if ($this->calls === null) {
            $folded = $this->folded([]);
            $this->calls = ['caller' => $folded->caller, 'callee' => $folded->callee];
        }

        return $this->calls;
    }

    /**
     * @return array<string, Row> in the order they were recorded, each with "ct"; whole numbers but in a mean, and for times that
     *     are known to the nanosecond
     */
    public function edges(): array
    {
        return $this->isDivided() ? array_map($this->divide(...), $this->sums()) : $this->sums();
    }

    /**
     * @return list<string> of edges()
     */
    public function keys(): array
    {
        return $this->edges === null ? $this->folded([])->keys() : array_map(strval(...), array_keys($this->edges));
    }

    /**
     * For reports: the edges before divide(). Unless isDivided(), they equal edges().
     *
     * @return array<string, Row>
     */
    public function sums(): array
    {
        return $this->edges ??= $this->folded()->rows();
    }

    /**
     * One column of sums().
     *
     * @return list<int|float> also where an edge has none
     */
    public function column(string $metric): array
    {
        if ($this->edges === null) {
            return $this->folded([$metric])->figures[$metric];
        }
        $column = array_column($this->edges, $metric);

        return count($column) === count($this->edges)
            ? $column
            : array_values(array_map(static fn (array $row): int|float => $row[$metric] ?? 0, $this->edges));
    }

    /**
     * One column of edges().
     *
     * @return list<int|float> also where an edge has none
     */
    public function figures(string $metric): array
    {
        return $this->divideColumn($metric, $this->column($metric));
    }

    /**
     * @template A of array<array-key, int|float>
     *
     * @param A $sums of values of column()
     *
     * @return (A is list ? list<int|float> : array<key-of<A>, int|float>) the figures of the run, or of the mean
     */
    public function divideColumn(string $metric, array $sums): array
    {
        $divisor = $this->divisor * ($this->perUnit[$metric] ?? 1);

        return $divisor === 1 ? $sums : array_map(static fn (int|float $sum): int|float => self::divided($sum, $divisor), $sums);
    }

    private static function divided(int|float $sum, int|float $divisor): int|float
    {
        // Cancelled floating-point sums leave a small rest; sums of whole weights are whole.
        return is_int($sum) ? $sum / $divisor : round($sum / $divisor, 6);
    }

    /**
     * @param list<string>|null $metrics those that are needed; null for all
     *
     * @return FunctionFigures sums by function, before divide()
     */
    public function functions(?array $metrics = null): FunctionFigures
    {
        if ($this->edges === null && $metrics === null) {
            return $this->tree()->functions();
        }
        $metrics ??= $this->metrics;
        if ($this->edges === null) {
            $this->folded($metrics);
        }
        $columns = array_combine(['ct', ...$metrics], array_map($this->column(...), ['ct', ...$metrics]));

        return FunctionFigures::ofEdges($this->symbols(), $this->calls(), $columns);
    }

    private function tree(): TreeEdges
    {
        return $this->tree ?? throw new \LogicException('the profile has no call tree');
    }

    /** @param list<string>|null $metrics those that are needed; null for all */
    private function folded(?array $metrics = null): FoldedEdges
    {
        return $this->tree()->folded($metrics);
    }

    /**
     * @param Row $row sums and differences of sums()
     *
     * @return Row the figures of the run, or of the mean
     */
    public function divide(array $row): array
    {
        foreach ($this->isDivided() ? $row : [] as $column => $sum) {
            $row[$column] = self::divided($sum, $this->divisor * ($this->perUnit[$column] ?? 1));
        }

        return $row;
    }

    /**
     * @param string ...$functions or levels of recursion
     *
     * @return self with the calls only that all levels of these functions made, and those of them
     */
    public function around(string ...$functions): self
    {
        $names = array_values(array_map(EdgeKey::stripRecursion(...), $functions));
        $around = $this->tree?->around($names);
        if ($around !== null) {
            return self::ofRows($around->rows(), $this->metrics, 1)->like($this);
        }
        $isWanted = [];
        foreach ($this->symbols() as $number => $symbol) {
            if (in_array($symbol, $functions, true) || in_array(EdgeKey::stripRecursion($symbol), $names, true)) {
                $isWanted[$number] = true;
            }
        }
        ['caller' => $callers, 'callee' => $callees] = $this->calls();
        $edges = [];
        foreach ($callers as $edge => $caller) {
            if (isset($isWanted[$caller]) || isset($isWanted[$callees[$edge]])) {
                $edges[] = $edge;
            }
        }
        $rows = $this->edges === null ? $this->folded()->rows($edges) : self::some($this->edges, $edges);

        return self::ofRows($rows, $this->metrics, $this->divisor)->like($this);
    }

    /**
     * @param array<string, Row> $edges
     * @param list<int>          $places
     *
     * @return array<string, Row>
     */
    private static function some(array $edges, array $places): array
    {
        $keys = array_keys($edges);

        return array_intersect_key($edges, array_flip(array_map(static fn (int $place): string => $keys[$place], $places)));
    }

    /** Whether all edges are at hand, so that calls() and figures() cost nothing more than themselves. */
    public function isFolded(): bool
    {
        return $this->edges !== null || $this->tree()->isFolded();
    }

    /**
     * @param array<string, string> $map name, without a level of recursion => another name; no two become the same
     *
     * @return self the same run, whose functions have these names
     */
    public function renamed(array $map): self
    {
        if ($map === []) {
            return $this;
        }
        if ($this->tree !== null) {
            return self::ofEdges($this->tree->renamed($map))->sampled($this->samples);
        }
        $edges = [];
        foreach ($this->sums() as $key => $row) {
            [$caller, $callee] = EdgeKey::parse((string) $key);
            $caller = $caller === null ? null : EdgeKey::renamed($caller, $map);
            $edges[EdgeKey::build($caller, EdgeKey::renamed($callee, $map))] = $row;
        }
        $renamed = self::ofRows($edges, $this->metrics, $this->divisor)->like($this);
        $renamed->recorded = $this->recorded === null ? null : fn (): self => $this->recorded()->renamed($map);

        return $renamed;
    }

    /**
     * @param array<string, list<int>> $columns per time metric a value per edge: other times of the same edges, or one more metric
     *
     * @return self the same single run with these times
     *
     * @throws InvalidProfile if their sums are too large
     */
    public function withNanoseconds(array $columns): self
    {
        $edges = $this->sums();
        $others = $this->perUnit === []
            ? array_filter(array_diff($this->metrics, array_keys($columns)), Metrics::isTime(...))
            : [];
        $position = 0;
        foreach ($edges as $key => $row) {
            foreach ($others as $metric) {
                if (isset($row[$metric])) {
                    $row[$metric] *= 1000;
                }
            }
            foreach ($columns as $metric => $column) {
                $row[$metric] = $column[$position];
            }
            $edges[$key] = $row;
            $position++;
        }
        $metrics = self::checkMetrics(array_values(array_unique([...$this->metrics, ...array_keys($columns)])), $edges);
        $exact = self::ofRows($edges, $metrics, $this->divisor)->sampled($this->samples);
        $exact->setExact();
        $exact->recorded = $this->recorded(...);

        return $exact;
    }

    /**
     * As every XHProf writes and reads them.
     *
     * @return self the same run, with times in whole microseconds
     */
    public function recorded(): self
    {
        if ($this->recorded instanceof \Closure) {
            $this->recorded = ($this->recorded)();
        }

        return $this->recorded ?? $this;
    }

    /** Takes over the units and the samples of the profile that the edges are from. */
    private function like(self $other): self
    {
        $this->perUnit = $other->perUnit;

        return $this->sampled($other->samples);
    }

    /**
     * @param SampleCount|null $samples null for a run that counted calls
     *
     * @return self the same run, whose reports and totals count samples: its edges stay as they were recorded
     */
    public function sampled(?SampleCount $samples): self
    {
        $profile = clone $this;
        $profile->samples = $samples;
        $profile->totals = null;
        $profile->recorded = $this->recorded === null ? null : fn (): self => $this->recorded()->sampled($samples);

        return $profile;
    }

    /**
     * @param array<string, int|float> $whole metric => what counts as 100 %: the roots hold parts of one whole
     *
     * @return self the same run with these totals
     */
    public function ofWhole(array $whole): self
    {
        $profile = clone $this;
        $profile->totals = array_replace($this->totals(), $whole);

        return $profile;
    }

    /** @return SampleCount|null null for a run that counted calls */
    public function samples(): ?SampleCount
    {
        return $this->samples;
    }

    /** Whether times are known to the nanosecond. */
    public function isExact(): bool
    {
        return $this->perUnit !== [];
    }

    /** Whether sums() need divide(). */
    public function isDivided(): bool
    {
        return $this->divisor !== 1 || $this->perUnit !== [];
    }

    /**
     * @return list<string> metrics found on any edge (wt, cpu, mu, pmu...), without "ct"
     */
    public function metrics(): array
    {
        return $this->metrics;
    }

    /**
     * The values that count as 100 %: per metric the largest of main() and every other root. A root without a value of its own,
     * or with a smaller time than the calls it made (profiling stopped in a shutdown function), stands for the sum of these
     * calls.
     *
     * @return array<string, int|float> per metric, and "ct" = calls of the whole run, or samples
     */
    public function totals(): array
    {
        if ($this->totals === null) {
            $totals = $this->divide($this->computeTotals());
            $this->totals = $this->samples?->totals($totals) ?? $totals;
        }

        return $this->totals;
    }

    /** Returns one of the totals() without reading the others. */
    public function total(string $metric): int|float
    {
        return $this->totals === null && $this->edges === null
            ? $this->divide($this->tree()->totals([$metric]))[$metric]
            : $this->totals()[$metric];
    }

    public function hasSymbol(string $symbol): bool
    {
        return $this->symbols === null ? $this->tree()->has($symbol) : isset($this->symbols[$symbol]);
    }

    /**
     * @return list<string> every caller and callee once; recursion levels ("f@1") are symbols of their own
     */
    public function symbols(): array
    {
        return $this->symbols === null ? $this->tree()->symbols() : array_keys($this->symbols);
    }

    /**
     * @return array<string, int|float> before divide()
     */
    private function computeTotals(): array
    {
        if ($this->edges === null) {
            return $this->tree()->totals();
        }
        ['caller' => $caller, 'callee' => $callee] = $this->calls();
        $called = [];
        $calls = 0;
        $own = [];
        $edge = 0;
        foreach ($this->edges as $row) {
            $calls += $row['ct'];
            if ($caller[$edge] === -1) {
                $own[$callee[$edge]] = $row;
            } elseif ($caller[$edge] !== $callee[$edge]) {
                $called[$callee[$edge]] = true;
            }
            $edge++;
        }
        $made = [];
        $edge = 0;
        foreach ($this->edges as $row) {
            $root = $caller[$edge];
            // A function with a value of its own is a root, and so is one that calls but is not called.
            if ($root !== $callee[$edge] && (isset($own[$root]) || ($root !== -1 && !isset($called[$root])))) {
                foreach ($this->metrics as $metric) {
                    $made[$root][$metric] = ($made[$root][$metric] ?? 0) + ($row[$metric] ?? 0);
                }
            }
            $edge++;
        }
        $totals = ['ct' => $calls];
        foreach ($this->metrics as $metric) {
            $candidates = [];
            foreach ($own + $made as $root => $_) {
                $value = $own[$root][$metric] ?? null;
                $sum = $made[$root][$metric] ?? 0;
                $candidates[] = match (true) {
                    $value === null => $sum,
                    Metrics::isSigned($metric) => $value,
                    default => max($value, $sum),
                };
            }
            $totals[$metric] = $candidates === [] ? 0 : max($candidates);
        }

        return $totals;
    }

    private static function toInt(mixed $value, string $key, string $metric): int
    {
        if (is_string($value) && is_numeric($value)) {
            $value += 0;
        }
        if (is_int($value)) {
            return $value;
        }
        if (is_float($value) && is_finite($value) && abs($value) < SavedColumns::MAX_SUM) {
            return (int) round($value);
        }
        throw new InvalidProfile(sprintf(
            '%s has %s for the metric "%s", not an integer',
            self::edge($key),
            is_float($value) ? var_export($value, true) : get_debug_type($value),
            self::shorten($metric),
        ));
    }

    /**
     * @param list<array-key> $names
     * @param array<array-key, array<array-key, int|float>> $edges
     *
     * @return list<string>
     */
    private static function checkMetrics(array $names, array $edges): array
    {
        $metrics = [];
        foreach ($names as $metric) {
            if (!is_string($metric) || !Metrics::isName($metric)) {
                throw new InvalidProfile('"' . self::shorten((string) $metric) . '" is not the name of a metric');
            }
            if (TreeNodes::magnitude(array_column($edges, $metric)) > SavedColumns::MAX_SUM) {
                throw new InvalidProfile('the values of the metric "' . $metric . '" are too large');
            }
            $metrics[] = $metric;
        }

        return Metrics::ordered(array_values(array_diff($metrics, ['ct'])));
    }

    /**
     * @param array<array-key, int> $symbols
     *
     * @return array<string, int>
     */
    private static function checkSymbols(array $symbols): array
    {
        foreach ($symbols as $symbol => $_) {
            if (!is_string($symbol) || !EdgeKey::isName($symbol)) {
                throw new InvalidProfile('"' . self::shorten((string) $symbol) . '" is not the name of a function');
            }
        }

        /** @var array<string, int> $symbols */
        return $symbols;
    }

    private static function edge(string $key): string
    {
        return 'the edge "' . self::shorten($key) . '"';
    }

    /** Keeps messages short and on one line, whatever bytes the name holds. */
    private static function shorten(string $text): string
    {
        $text = strlen($text) > 80 ? substr($text, 0, 77) . '...' : $text;

        return addcslashes($text, "\0..\37\"\\\177..\377");
    }
}
