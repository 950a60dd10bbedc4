<?php

declare(strict_types=1);

namespace XHProf\Bench\Workload;

require_once __DIR__ . '/functions.php';

/** 20,000 frames deep, again and again. */
final class DeepRecursion implements Workload
{
    /** @var list<string> */
    public readonly array $pins;

    /**
     * The engine's stack grows and shrinks by 256 kB; whether it takes that from the system each time depends on the heap's
     * other contents, and costs more than the measured calls. So small blocks keep room in the heap.
     */
    public function __construct()
    {
        [$room, $pins] = [[], []];
        for ($i = 0; $i < 64; $i++) {
            $room[] = str_repeat('r', 270_000);
            $pins[] = str_repeat('p', 8_000);
        }
        $this->pins = $pins;
    }

    public function run(int $units): int
    {
        for ($i = 0; $i < $units; $i++) {
            deep(19_999);
        }

        return $units * 20_000;
    }
}
