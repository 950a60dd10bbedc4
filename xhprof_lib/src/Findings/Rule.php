<?php

declare(strict_types=1);

namespace XHProf\Findings;

/** Looks for one kind of problem. Its threshold is a constant of it. */
interface Rule
{
    /** @var string a word for scripts: "n-plus-one" */
    public const NAME = '';

    /** @var string what the documentation says: what it finds, Markdown */
    public const FINDS = '';

    /** @var string from which figures on: the constants of the rule in words */
    public const FROM = '';

    /** @var string in what a run has to have recorded */
    public const SEEN = '';

    /** @var bool whether times decide, so that another run of the same work may have other findings */
    public const VARIES = true;

    /** @return list<Finding> none where the run does not have the problem, or has not recorded what would show it */
    public function find(Evidence $run): array;
}
