<?php

declare(strict_types=1);

namespace XHProf\Bench\Workload;

/**
 * A loop with many allocations, 38 blocks in each round, that works with them, as programs do: strings, arrays and small
 * objects, most of them dropped, some kept and replaced later. Four calls, of internal functions.
 */
final class Allocations implements Workload
{
    private const KEPT = 16_384;

    /** @var array<int, Allocation> */
    public array $kept = [];

    public function run(int $units): int
    {
        for ($i = 0; $i < $units; $i++) {
            $words = explode(' ', "the entry with the number $i has some words to say");
            $words[] = "word $i";
            sort($words);
            $lengths = [];
            foreach ($words as $word) {
                $lengths[strlen($word)] = $word;
            }
            $object = new Allocation();
            $object->text = md5(implode('-', $words));
            $object->row = ['id' => $i, 'lengths' => $lengths, 'pairs' => [[$i, "a$i"], [$i, "b$i"]]];
            if ($i % 4 === 0) {
                $this->kept[$i % self::KEPT] = $object;
            }
        }

        return 0;
    }
}
