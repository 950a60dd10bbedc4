<?php

declare(strict_types=1);

namespace XHProf\Functions;

use XHProf\Exception\UnknownSymbol;
use XHProf\Format\Text;
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
     * @param array<string, int|float>                $recursion
     */
    private function __construct(
        public readonly string $symbol,
        private readonly Profile $profile,
        private readonly array $self,
        private readonly array $parents,
        private readonly array $children,
        private readonly array $recursion = [],
    ) {
    }

    /**
     * @param bool $fold whether the levels of a recursion (f, f@1, f@2) are one function, here and among callers and callees;
     *     a symbol that is itself a level ("f@1") still means that level
     *
     * @throws UnknownSymbol
     */
    public static function compute(Profile $profile, string $symbol, bool $fold = false): self
    {
        if (!self::knows($profile, $symbol, $fold)) {
            throw new UnknownSymbol(self::unknown($profile, $symbol, $fold));
        }
        if ($fold && Recursion::base($symbol) === $symbol) {
            return self::folded($profile, $symbol);
        }
        $around = $profile->around($symbol);
        $blank = ['ct' => 0] + array_fill_keys($profile->metrics(), 0);
        $parents = [];
        $children = [];
        foreach ($around->sums() as $key => $row) {
            [$caller, $callee] = EdgeKey::parse($key);
            if ($caller === $symbol) {
                $children[$callee] = $profile->divide(array_replace($blank, $row));
            }
            if ($callee === $symbol && $caller !== null) {
                $parents[$caller] = $profile->divide(array_replace($blank, $row));
            }
        }
        $self = FlatReport::compute($around)->rows()[$symbol];

        return new self($symbol, $profile, $self, $parents, $children);
    }

    /**
     * Whether of() would find it.
     */
    public static function knows(Profile $profile, string $symbol, bool $fold): bool
    {
        // A run of another tool may have f@1 and no f.
        return $profile->hasSymbol($symbol) || ($fold && Recursion::in($profile, $symbol));
    }

    /** Says that a profile has no such function, and which functions have similar names. */
    private static function unknown(Profile $profile, string $symbol, bool $fold): string
    {
        $similar = [];
        foreach ($profile->symbols() as $name) {
            if ($symbol !== '' && stripos($name, $symbol) !== false) {
                $similar[] = Text::printable($fold ? Recursion::base($name) : $name);
            }
        }
        $similar = array_unique($similar);
        usort($similar, static fn (string $a, string $b): int => [strlen($a), $a] <=> [strlen($b), $b]);
        $hint = $similar === [] ? '' : '; it has ' . implode(', ', array_slice($similar, 0, 3))
            . (count($similar) > 3 ? sprintf(' and %d more like it', count($similar) - 3) : '');

        return 'the run has no function "' . Text::printable($symbol) . "\"$hint";
    }

    private static function folded(Profile $profile, string $symbol): self
    {
        $around = $profile->around($symbol);
        $folded = FoldedCalls::fold($around, $symbol);
        $parents = [];
        $children = [];
        foreach ($folded->calls as ['from' => $from, 'to' => $to, 'row' => $row, 'way_in' => $isWayIn]) {
            if ($from === $symbol) {
                $children[$to] = $row;
            } elseif ($isWayIn) {
                $parents[$from] = $row;
            }
        }
        $self = FlatReport::compute($around, true)->rows()[$symbol];

        return new self($symbol, $profile, $self, $parents, $children, $folded->inner[$symbol] ?? []);
    }

    /**
     * Callers of this function while it was running, in a report of all its levels.
     *
     * @return array<string, int|float> caller => calls, the most first; the function itself where it calls itself directly
     */
    public function recursion(): array
    {
        return $this->recursion;
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
