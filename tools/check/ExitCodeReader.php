<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** A command that is one check: it passes with exit code 0 and is skipped with 77, as in Automake. */
final class ExitCodeReader implements Reader
{
    public function line(string $line): ?string
    {
        // A stage that tools/env.sh announces.
        return str_ends_with($line, ' ...') ? null : '';
    }

    public function tail(): int
    {
        return 100;
    }

    public function counts(int $exitCode): Counts
    {
        return match ($exitCode) {
            0 => new Counts(passed: 1),
            Suite::SKIPPED => new Counts(skipped: 1),
            default => new Counts(failed: 1),
        };
    }

    public function failures(): array
    {
        return [];
    }
}
