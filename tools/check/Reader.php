<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** Parses the output of one kind of runner. One object per run of a suite. */
interface Reader
{
    /**
     * Takes the next line of output.
     *
     * @return string|null text to show: '' nothing, '.' and the like a mark of progress, null the line itself
     */
    public function line(string $line): ?string;

    /** The number of the log's last lines to show when checks failed; line() has shown the rest. */
    public function tail(): int;

    /** The counts. Called once, when the process has ended with $exitCode. */
    public function counts(int $exitCode): Counts;

    /** @return list<Failure> failures that have a name. Called after counts(). */
    public function failures(): array;
}
