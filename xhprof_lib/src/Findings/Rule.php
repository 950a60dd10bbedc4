<?php

declare(strict_types=1);

namespace XHProf\Findings;

/** Looks for one kind of problem. Its threshold is a constant of it. */
interface Rule
{
    /** @var string a word for scripts: "n-plus-one" */
    public const NAME = '';

    /** @return list<Finding> none where the run does not have the problem, or has not recorded what would show it */
    public function find(Evidence $run): array;
}
