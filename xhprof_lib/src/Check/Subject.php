<?php

declare(strict_types=1);

namespace XHProf\Check;

/** One thing that was profiled, once or several times: a route, a command, a test. */
final class Subject
{
    /**
     * @param list<\Closure(): Measured> $open   its runs
     * @param list<Traits>               $traits per run
     */
    public function __construct(public readonly string $name, public readonly array $open, private readonly array $traits)
    {
    }

    /** @param \Closure(): Measured $open */
    public function with(\Closure $open, Traits $traits): self
    {
        return new self($this->name, [...$this->open, $open], [...$this->traits, $traits]);
    }

    /** @return list<int> numbers of the runs that a selector chooses */
    public function chosen(Selector $selector): array
    {
        return array_keys(array_filter($this->traits, $selector->matches(...)));
    }

    /** @return list<string> what its runs have of a key of a selector */
    public function values(string $key): array
    {
        return array_merge(...array_map(static fn (Traits $traits): array => $traits->of($key), $this->traits));
    }
}
