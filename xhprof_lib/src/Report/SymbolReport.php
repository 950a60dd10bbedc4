<?php

declare(strict_types=1);

namespace XHProf\Report;

use XHProf\Exception\UnknownSymbol;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Profile;

/**
 * One function with its direct callers and callees.
 *
 * @phpstan-type Row array{ct: int, ...<string, int>}
 */
final class SymbolReport
{
    /**
     * @param array<string, int>                $self
     * @param array<string, array<string, int>> $parents
     * @param array<string, array<string, int>> $children
     */
    private function __construct(
        public readonly string $symbol,
        private readonly Profile $profile,
        private readonly array $self,
        private readonly array $parents,
        private readonly array $children,
    ) {
    }

    /**
     * @throws UnknownSymbol
     */
    public static function of(Profile $profile, string $symbol): self
    {
        if (!$profile->hasSymbol($symbol)) {
            throw new UnknownSymbol('the run has no function "' . \XHProf\Format\Text::printable($symbol) . '"');
        }
        $blank = ['ct' => 0] + array_fill_keys($profile->metrics(), 0);
        $parents = [];
        $children = [];
        $touching = [];
        foreach ($profile->edges() as $key => $row) {
            [$caller, $callee] = EdgeKey::parse($key);
            if ($caller === $symbol) {
                $children[$callee] = self::complete($row, $blank);
                $touching[$key] = $row;
            }
            if ($callee === $symbol) {
                $touching[$key] = $row;
                if ($caller !== null) {
                    $parents[$caller] = self::complete($row, $blank);
                }
            }
        }
        $row = FlatReport::of(Profile::fromEdges($touching))->rows()[$symbol];
        $self = $blank;
        foreach ($profile->metrics() as $metric) {
            $self += ['excl_' . $metric => 0];
        }

        return new self($symbol, $profile, array_replace($self, $row), $parents, $children);
    }

    /**
     * @return Row as in FlatReport, with the exclusive figures
     */
    public function self(): array
    {
        /** @var Row */
        return $this->self;
    }

    /**
     * @return array<string, Row> caller => inclusive figures of its calls to this function
     */
    public function parents(): array
    {
        /** @var array<string, Row> */
        return $this->parents;
    }

    /**
     * @return array<string, Row> callee => inclusive figures of this function's calls to it
     */
    public function children(): array
    {
        /** @var array<string, Row> */
        return $this->children;
    }

    /**
     * @return array<string, int> of the whole run
     */
    public function totals(): array
    {
        return $this->profile->totals();
    }

    /**
     * @param array<string, int> $row
     * @param array<string, int> $blank
     *
     * @return array<string, int> the row with every metric of the profile, in one order
     */
    private static function complete(array $row, array $blank): array
    {
        return array_replace($blank, $row);
    }
}
