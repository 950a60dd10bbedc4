<?php

declare(strict_types=1);

namespace XHProf\Tests\Fuzz;

/** Something that reads what anyone may have written. */
interface Target
{
    /**
     * One case. Deaths of the process, errors and warnings of PHP count as failures too.
     *
     * @return list<string> what is wrong
     */
    public function attempt(Chance $chance): array;
}
