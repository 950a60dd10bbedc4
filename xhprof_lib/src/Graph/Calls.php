<?php

declare(strict_types=1);

namespace XHProf\Graph;

/**
 * All calls between the functions of a graph, as columns: a large run has hundreds of thousands, of which few are drawn. The
 * heaviest come first, equal ones by name.
 *
 * @internal
 */
final class Calls
{
    /** @var array<string, list<int>>|null by callee */
    private ?array $byCallee = null;

    /**
     * @param list<string>    $from
     * @param list<string>    $to
     * @param list<int|float> $weight
     */
    public function __construct(
        public readonly array $from,
        public readonly array $to,
        private readonly array $weight,
    ) {
    }

    /**
     * @param array<string, mixed> $functions
     *
     * @return list<int> the calls between these
     */
    public function between(array $functions): array
    {
        $found = [];
        foreach ($this->from as $at => $from) {
            if (isset($functions[$from], $functions[$this->to[$at]])) {
                $found[] = $at;
            }
        }

        return $this->sorted($found);
    }

    /** @return list<int> the calls of a function and by it */
    public function touching(string $function): array
    {
        return $this->sorted([...array_keys($this->from, $function, true), ...array_keys($this->to, $function, true)]);
    }

    public function isCalled(string $function): bool
    {
        return isset($this->byCallee()[$function]);
    }

    /** @return list<string> the one whose calls are the heaviest first */
    public function callers(string $function): array
    {
        return array_map(fn (int $at): string => $this->from[$at], $this->sorted($this->byCallee()[$function] ?? []));
    }

    /** @return array<string, string> caller => its heaviest callee */
    public function heaviest(): array
    {
        $heaviest = [];
        foreach ($this->from as $at => $from) {
            $known = $heaviest[$from] ?? null;
            if (
                $known === null
                || $this->weight[$at] > $this->weight[$known]
                || ($this->weight[$at] == $this->weight[$known] && strcmp($this->to[$at], $this->to[$known]) < 0)
            ) {
                $heaviest[$from] = $at;
            }
        }

        return array_map(fn (int $at): string => $this->to[$at], $heaviest);
    }

    /**
     * @param list<int> $places
     *
     * @return list<int>
     */
    private function sorted(array $places): array
    {
        $weights = $from = $to = [];
        foreach ($places as $at) {
            $weights[] = $this->weight[$at];
            $from[] = $this->from[$at];
            $to[] = $this->to[$at];
        }
        // Sorting columns is ten times as fast as a comparison function.
        array_multisort($weights, SORT_DESC, SORT_NUMERIC, $from, SORT_ASC, SORT_STRING, $to, SORT_ASC, SORT_STRING, $places);

        return $places;
    }

    /** @return array<string, list<int>> */
    private function byCallee(): array
    {
        if ($this->byCallee === null) {
            $this->byCallee = [];
            foreach ($this->to as $at => $to) {
                $this->byCallee[$to][] = $at;
            }
        }

        return $this->byCallee;
    }
}
