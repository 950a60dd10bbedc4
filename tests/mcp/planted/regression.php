<?php

declare(strict_types=1);

namespace Planted;

/** An index of words. The newer version, which PLANTED=new stands for, looks through all words for each of them. */
final class Index
{
    /** @var array<string, int> */
    private array $count = [];

    /** @param list<string> $words */
    public function add(array $words): void
    {
        foreach ($words as $word) {
            $this->count[$word] = ($this->count[$word] ?? 0) + $this->weight($word, $words);
        }
    }

    /** @param list<string> $words */
    private function weight(string $word, array $words): int
    {
        return getenv('PLANTED') === 'new' ? $this->rank($word, $words) : strlen($word);
    }

    /** @param list<string> $words */
    private function rank(string $word, array $words): int
    {
        $rank = 0;
        foreach ($words as $other) {
            $rank += strcmp($other, $word) < 0 ? 1 : 0;
        }

        return $rank;
    }

    public function size(): int
    {
        return count($this->count);
    }
}

$index = new Index();
$index->add(array_map(static fn (int $number): string => dechex($number * 7919), range(1, 1500)));
echo $index->size(), "\n";
