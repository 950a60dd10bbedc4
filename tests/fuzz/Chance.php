<?php

declare(strict_types=1);

namespace XHProf\Tests\Fuzz;

use Random\Engine\Mt19937;
use Random\Randomizer;

/** Reproducible random choices, from a seed, a target and the number of a case. */
final class Chance
{
    private readonly Randomizer $randomizer;

    public function __construct(int $seed, string $target, int $case)
    {
        $this->randomizer = new Randomizer(new Mt19937(crc32("$seed $target $case")));
    }

    public function number(int $least, int $most): int
    {
        return $this->randomizer->getInt($least, $most);
    }

    /** True once in the given number of times on average. */
    public function once(int $in): bool
    {
        return $this->number(1, $in) === 1;
    }

    public function bytes(int $length): string
    {
        return $length < 1 ? '' : $this->randomizer->getBytes($length);
    }

    /**
     * @template T
     * @param array<T> $of not empty
     * @return T
     */
    public function one(array $of): mixed
    {
        $of = array_values($of);

        return $of[$this->number(0, count($of) - 1)];
    }

    /**
     * @template T
     * @param array<T> $of not empty
     * @return list<T>
     */
    public function some(array $of, int $most): array
    {
        $some = [];
        for ($left = $this->number(0, $most); $left > 0; $left--) {
            $some[] = $this->one($of);
        }

        return $some;
    }
}
