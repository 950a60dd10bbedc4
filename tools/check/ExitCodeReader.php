<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** A command that is one check: it passes with exit code 0 and is skipped with 77, as in Automake. */
final class ExitCodeReader implements Reader
{
    private const SKIPPED = 77;

    public function line(string $line): string
    {
        return '';
    }

    public function tail(): int
    {
        return 100;
    }

    public function counts(int $exitCode): Counts
    {
        return match ($exitCode) {
            0 => new Counts(passed: 1),
            self::SKIPPED => new Counts(skipped: 1),
            default => new Counts(failed: 1),
        };
    }
}
