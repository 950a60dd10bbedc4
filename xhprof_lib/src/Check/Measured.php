<?php

declare(strict_types=1);

namespace XHProf\Check;

use XHProf\Findings\Finding;
use XHProf\Profile\CodePlace;
use XHProf\Run\Run;

/** What limits are held against: a run, or a route of a window. */
interface Measured
{
    public function run(): Run;

    /** What was profiled: see Subject::nameOf(). */
    public function subject(): string;

    public function figure(FigureName $name): Figure;

    /** @return list<Finding>|string findings for which the program can be changed; a sentence where they are not known */
    public function findings(): array|string;

    /** Where a function of it is; null: not known. */
    public function place(string $function): ?CodePlace;

    /** @return string what it is a part of; '' for what is whole */
    public function missing(): string;
}
