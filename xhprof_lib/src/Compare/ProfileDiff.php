<?php

declare(strict_types=1);

namespace XHProf\Compare;

use XHProf\Exception\UnknownSymbol;
use XHProf\Functions\FlatReport;
use XHProf\Functions\RowRanking;
use XHProf\Functions\SymbolReport;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Profile;

/**
 * Two runs, function by function: b minus a, over the metrics both have.
 *
 * @phpstan-import-type Neighbour from SymbolDiff
 * @phpstan-type Row array{ct: int|float, ...<string, int|float>}
 */
final class ProfileDiff
{
    public const BOTH = 'both';
    public const ADDED = 'new';
    public const GONE = 'gone';

    /**
     * @param list<string>       $metrics
     * @param array<string, Row> $rows
     * @param array<string, string> $before name => its name in a, where that differs
     */
    private function __construct(
        private readonly Profile $a,
        private readonly Profile $b,
        private readonly FlatReport $flatA,
        private readonly FlatReport $flatB,
        private readonly array $metrics,
        private readonly array $rows,
        private readonly bool $fold,
        private readonly array $before,
    ) {
    }

    /**
     * @param Profile $a its functions have the names that they have in b
     * @param bool $fold the levels of a recursion (f, f@1, f@2) as one function
     * @param array<string, string> $renamed names that a's functions had before: see NameMatch
     */
    public static function of(Profile $a, Profile $b, bool $fold = false, array $renamed = []): self
    {
        $metrics = array_values(array_intersect($a->metrics(), $b->metrics()));
        $flatA = FlatReport::of($a, $fold);
        $flatB = FlatReport::of($b, $fold);
        $rows = RowDiff::rows($flatA->rows(), $flatB->rows(), self::columnsOf($metrics));
        $before = array_map(strval(...), array_flip($renamed));

        return new self($a, $b, $flatA, $flatB, $metrics, $rows, $fold, $before);
    }

    /**
     * @return array<string, Row> function => b minus a, in the columns of FlatReport (a function missing in a run counts as 0)
     */
    public function rows(): array
    {
        return $this->rows;
    }

    /**
     * @param list<string> $metrics
     *
     * @return list<string> columns of FlatReport
     */
    public static function columnsOf(array $metrics): array
    {
        return ['ct', ...$metrics, ...array_map(static fn (string $metric): string => "excl_$metric", $metrics)];
    }

    /** @return list<string> of the rows */
    public function columns(): array
    {
        return self::columnsOf($this->metrics);
    }

    /** @return Neighbour a function on both sides; [] where it is missing */
    public function row(string $name): array
    {
        [$a, $b] = [$this->flatA->rows()[$name] ?? [], $this->flatB->rows()[$name] ?? []];

        $status = RowDiff::status($a !== [], $b !== []) ?? self::BOTH;

        return ['status' => $status, 'a' => $a, 'b' => $b, 'delta' => $this->rows[$name]];
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
        return RowDiff::status($this->knows($this->a, $symbol), $this->knows($this->b, $symbol))
            ?? throw new UnknownSymbol('neither run has a function "' . \XHProf\Format\Text::printable($symbol) . '"');
    }

    /**
     * @return array{a: array<string, int|float>, b: array<string, int|float>, delta: array<string, int|float>} over "ct" and
     *     the common metrics
     */
    public function totals(): array
    {
        $columns = array_flip(['ct', ...$this->metrics]);
        $a = array_intersect_key($this->a->totals(), $columns);
        $b = array_intersect_key($this->b->totals(), $columns);
        $delta = [];
        foreach ($b as $metric => $value) {
            $delta[$metric] = RowDiff::difference($a[$metric], $value);
        }

        return ['a' => $a, 'b' => $b, 'delta' => $delta];
    }

    /**
     * @return list<string> metrics both runs have, without "ct"
     */
    public function metrics(): array
    {
        return $this->metrics;
    }

    public function before(): FlatReport
    {
        return $this->flatA;
    }

    public function after(): FlatReport
    {
        return $this->flatB;
    }

    /**
     * @throws UnknownSymbol when neither run has it
     */
    public function symbol(string $symbol): SymbolDiff
    {
        $this->status($symbol);

        return SymbolDiff::of(
            $symbol,
            $this->knows($this->a, $symbol) ? SymbolReport::of($this->a, $symbol, $this->fold) : null,
            $this->knows($this->b, $symbol) ? SymbolReport::of($this->b, $symbol, $this->fold) : null,
            $this->metrics,
        );
    }

    private function knows(Profile $run, string $symbol): bool
    {
        return SymbolReport::knows($run, $symbol, $this->fold);
    }
}
