<?php

declare(strict_types=1);

namespace XHProf\Bench;

/** A part of the benchmark: it measures, and leaves its figures in the results. */
interface Part
{
    /** How many steps its progress has; 0 where it cannot be measured. */
    public function steps(): int;

    /** Seconds that it takes, about. */
    public function estimate(): float;

    public function run(Results $results, Progress $progress): void;
}
