<?php

declare(strict_types=1);

namespace XHProf\Tests\Fuzz;

/** A reader of untrusted input. */
interface Target
{
    /**
     * One case. Deaths of the process, errors and warnings of PHP count as failures too.
     *
     * @return list<string> errors
     */
    public function attempt(Chance $chance): array;
}
