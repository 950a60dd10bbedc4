<?php

declare(strict_types=1);

namespace XHProf\Compare;

use XHProf\Exception\UnknownSymbol;
use XHProf\Format\Text;
use XHProf\Functions\FlatReport;
use XHProf\Functions\RowRanking;
use XHProf\Functions\SymbolReport;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Profile;

/**
 * The figures of two profiles, function by function: b minus a, over the metrics both have. What a profile misses counts as 0.
 *
 * @phpstan-import-type Figures from SymbolDiff
 * @phpstan-import-type Neighbour from SymbolDiff
 * @phpstan-type Row array{ct: int|float, ...<string, int|float>}
 */
final class ProfileDiff
{
    public const BOTH = 'both';
    public const ADDED = 'new';
    public const GONE = 'gone';

    /** @var array<string, Row> */
    private readonly array $rows;

    private readonly FlatReport $flatA;
    private readonly FlatReport $flatB;

    /**
     * @param list<string> $metrics
     * @param array<string, string> $before name => its name in a, where that differs
     */
    private function __construct(
        private readonly Profile $a,
        private readonly Profile $b,
        private readonly array $metrics,
        private readonly bool $fold,
        private readonly array $before,
    ) {
        $this->flatA = FlatReport::compute($a, $fold);
        $this->flatB = FlatReport::compute($b, $fold);
        $this->rows = self::deltas($this->flatA->rows(), $this->flatB->rows(), $this->columns());
    }

    /**
     * @param Profile $a its functions have the names that they have in b
     * @param bool $fold the levels of a recursion (f, f@1, f@2) as one function
     * @param array<string, string> $renamed names that a's functions had before: see NameMatch
     */
    public static function between(Profile $a, Profile $b, bool $fold = false, array $renamed = []): self
    {
        $metrics = array_values(array_intersect($a->metrics(), $b->metrics()));

        return new self($a, $b, $metrics, $fold, array_map(strval(...), array_flip($renamed)));
    }

    /** @return list<string> metrics both runs have, without "ct" */
    public function metrics(): array
    {
        return $this->metrics;
    }

    /** @return list<string> columns of the rows, those of FlatReport */
    public function columns(): array
    {
        return ['ct', ...$this->metrics, ...array_map(static fn (string $metric): string => "excl_$metric", $this->metrics)];
    }

    /** @return array<string, Row> function => b minus a */
    public function rows(): array
    {
        return $this->rows;
    }

    public function before(): FlatReport
    {
        return $this->flatA;
    }

    public function after(): FlatReport
    {
        return $this->flatB;
    }

    /** @return Neighbour a function of any of the two; [] where one misses it */
    public function row(string $name): array
    {
        [$a, $b] = [$this->flatA->rows()[$name] ?? [], $this->flatB->rows()[$name] ?? []];

        return ['status' => self::statusOf($a !== [], $b !== []), 'a' => $a, 'b' => $b, 'delta' => $this->rows[$name]];
    }

    /**
     * @param string $metric "fn" or a column of the rows; the largest change first, whatever its sign
     * @param int    $limit  0 = all
     *
     * @return array<string, Row>
     *
     * @throws \XHProf\Exception\UnknownMetric
     */
    public function sorted(string $metric, int $limit = 0): array
    {
        /** @var array<string, Row> */
        return RowRanking::rows($this->rows, $metric, $limit, true);
    }

    /** @return string|null the function's name in a, where that differs from the one in b */
    public function nameBefore(string $symbol): ?string
    {
        $name = EdgeKey::renamed($symbol, $this->before);

        return $name === $symbol ? null : $name;
    }

    /**
     * @return 'both'|'new'|'gone'
     *
     * @throws UnknownSymbol
     */
    public function status(string $symbol): string
    {
        $isInA = SymbolReport::knows($this->a, $symbol, $this->fold);
        $isInB = SymbolReport::knows($this->b, $symbol, $this->fold);

        return $isInA || $isInB
            ? self::statusOf($isInA, $isInB)
            : throw new UnknownSymbol('neither run has a function "' . Text::printable($symbol) . '"');
    }

    /**
     * @return array{a: Figures, b: Figures, delta: Figures} over "ct" and the common metrics
     */
    public function totals(): array
    {
        $columns = array_flip(['ct', ...$this->metrics]);
        $a = array_intersect_key($this->a->totals(), $columns);
        $b = array_intersect_key($this->b->totals(), $columns);

        return ['a' => $a, 'b' => $b, 'delta' => self::delta($a, $b, array_keys($b))];
    }

    /** @throws UnknownSymbol when neither run has it */
    public function symbol(string $symbol): SymbolDiff
    {
        $status = $this->status($symbol);
        $a = $status === self::ADDED ? null : SymbolReport::compute($this->a, $symbol, $this->fold);
        $b = $status === self::GONE ? null : SymbolReport::compute($this->b, $symbol, $this->fold);

        return new SymbolDiff(
            $symbol,
            self::sides($a?->self(), $b?->self(), $this->columns()),
            $this->neighbours($a?->parents() ?? [], $b?->parents() ?? []),
            $this->neighbours($a?->children() ?? [], $b?->children() ?? []),
        );
    }

    /**
     * @param array<string, Figures> $a
     * @param array<string, Figures> $b
     *
     * @return array<string, Neighbour>
     */
    private function neighbours(array $a, array $b): array
    {
        $columns = ['ct', ...$this->metrics];
        $result = [];
        foreach (RowRanking::rows(self::deltas($a, $b, $columns), $columns[1] ?? 'ct', 0, true) as $name => $_) {
            $result[$name] = self::sides($a[$name] ?? null, $b[$name] ?? null, $columns);
        }

        return $result;
    }

    /**
     * @param Figures|null $a
     * @param Figures|null $b
     * @param list<string> $columns
     *
     * @return Neighbour
     */
    private static function sides(?array $a, ?array $b, array $columns): array
    {
        return [
            'status' => self::statusOf($a !== null, $b !== null),
            'a' => self::delta([], $a ?? [], $columns),
            'b' => self::delta([], $b ?? [], $columns),
            'delta' => self::delta($a ?? [], $b ?? [], $columns),
        ];
    }

    /**
     * @param array<string, Figures> $a
     * @param array<string, Figures> $b
     * @param list<string> $columns
     *
     * @return array<string, Row> rows of b in b's order, then those only a has
     */
    private static function deltas(array $a, array $b, array $columns): array
    {
        $rows = [];
        foreach ($b + $a as $name => $_) {
            $rows[$name] = self::delta($a[$name] ?? [], $b[$name] ?? [], $columns);
        }

        return $rows;
    }

    /**
     * @param Figures $a
     * @param Figures $b
     * @param list<string> $columns
     *
     * @return Row without the rest that fractions leave
     */
    private static function delta(array $a, array $b, array $columns): array
    {
        $row = ['ct' => 0];
        foreach ($columns as $column) {
            [$from, $to] = [$a[$column] ?? 0, $b[$column] ?? 0];
            $row[$column] = is_int($from) && is_int($to) ? $to - $from : round($to - $from, 6);
        }

        /** @var Row */
        return $row;
    }

    /** @return 'both'|'new'|'gone' */
    private static function statusOf(bool $isInA, bool $isInB): string
    {
        return $isInA && $isInB ? self::BOTH : ($isInA ? self::GONE : self::ADDED);
    }
}
