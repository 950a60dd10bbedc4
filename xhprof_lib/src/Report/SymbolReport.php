<?php

declare(strict_types=1);

namespace XHProf\Report;

use XHProf\Exception\UnknownSymbol;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Profile;

/**
 * One function with its direct callers and callees.
 *
 * @phpstan-type Row array{ct: int|float, ...<string, int|float>}
 */
final class SymbolReport
{
    /**
     * @param array<string, int|float>                $self
     * @param array<string, array<string, int|float>> $parents
     * @param array<string, array<string, int|float>> $children
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
        foreach ($profile->sums() as $key => $row) {
            if (!str_contains($key, $symbol)) {
                continue;
            }
            [$caller, $callee] = EdgeKey::parse($key);
            if ($caller === $symbol) {
                $children[$callee] = $profile->divide(array_replace($blank, $row));
                $touching[$key] = true;
            }
            if ($callee === $symbol) {
                $touching[$key] = true;
                if ($caller !== null) {
                    $parents[$caller] = $profile->divide(array_replace($blank, $row));
                }
            }
        }
        $self = FlatReport::of($profile->part($touching))->rows()[$symbol];

        return new self($symbol, $profile, $self, $parents, $children);
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
     * @return array<string, int|float> of the whole run
     */
    public function totals(): array
    {
        return $this->profile->totals();
    }
}
