<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** Understands the output of one kind of runner. One object per run of a suite. */
interface Reader
{
    /**
     * Takes the next line of output.
     *
     * @return string|null what to show of it: '' nothing, '.' and the like a mark of progress, null the line as it is
     */
    public function line(string $line): ?string;

    /** How many of the last lines of the log are worth showing when checks failed; the rest was shown by line(). */
    public function tail(): int;

    /** What was counted. Called once, when the process has ended with $exitCode. */
    public function counts(int $exitCode): Counts;

    /** @return list<Failure> what failed, as far as it has a name. Called after counts(). */
    public function failures(): array;
}
