<?php

declare(strict_types=1);

namespace XHProf\Compare;

use XHProf\Functions\RowRanking;
use XHProf\Functions\SymbolReport;

/**
 * One function in two runs: its own values, its callers and its callees, each as a, b and b minus a.
 *
 * @phpstan-type Figures array<string, int|float>
 * @phpstan-type Neighbour array{status: 'both'|'new'|'gone', a: Figures, b: Figures, delta: Figures}
 */
final class SymbolDiff
{
    /**
     * @param 'both'|'new'|'gone'      $status
     * @param Neighbour                $self
     * @param array<string, Neighbour> $parents
     * @param array<string, Neighbour> $children
     */
    private function __construct(
        public readonly string $symbol,
        public readonly string $status,
        private readonly array $self,
        private readonly array $parents,
        private readonly array $children,
    ) {
    }

    /**
     * @param list<string> $metrics the ones to compare
     */
    public static function of(string $symbol, ?SymbolReport $a, ?SymbolReport $b, array $metrics): self
    {
        $columns = ['ct', ...$metrics];
        $self = self::neighbour($a?->self(), $b?->self(), ProfileDiff::columnsOf($metrics));

        return new self(
            $symbol,
            $self['status'],
            $self,
            self::neighbours($a?->parents() ?? [], $b?->parents() ?? [], $columns),
            self::neighbours($a?->children() ?? [], $b?->children() ?? [], $columns),
        );
    }

    /**
     * @return Neighbour with the exclusive figures
     */
    public function self(): array
    {
        return $this->self;
    }

    /**
     * @return array<string, Neighbour> per caller, largest change of the first metric first
     */
    public function parents(): array
    {
        return $this->parents;
    }

    /**
     * @return array<string, Neighbour> per callee, largest change of the first metric first
     */
    public function children(): array
    {
        return $this->children;
    }

    /**
     * @param array<string, Figures> $a
     * @param array<string, Figures> $b
     * @param list<string>           $columns
     *
     * @return array<string, Neighbour>
     */
    private static function neighbours(array $a, array $b, array $columns): array
    {
        $deltas = RowDiff::rows($a, $b, $columns);
        $result = [];
        foreach (RowRanking::rows($deltas, $columns[1] ?? 'ct', 0, true) as $name => $_) {
            $result[$name] = self::neighbour($a[$name] ?? null, $b[$name] ?? null, $columns);
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
    private static function neighbour(?array $a, ?array $b, array $columns): array
    {
        return [
            'status' => RowDiff::status($a !== null, $b !== null) ?? ProfileDiff::BOTH,
            'a' => RowDiff::row([], $a ?? [], $columns),
            'b' => RowDiff::row([], $b ?? [], $columns),
            'delta' => RowDiff::row($a ?? [], $b ?? [], $columns),
        ];
    }
}
