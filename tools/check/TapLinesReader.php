<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** Plain TAP of one program, or of several in a row: every line "ok" or "not ok" is a check. Exit code 77 before the first skips. */
final class TapLinesReader implements Reader
{
    private Counts $counts;
    private int $planned = 0;
    /** @var list<Failure> */
    private array $failures = [];

    public function __construct()
    {
        $this->counts = new Counts();
    }

    public function line(string $line): ?string
    {
        if (preg_match('/^1\.\.(\d+)$/', $line, $match) === 1) {
            $this->planned += (int) $match[1];
            return '';
        }
        if (preg_match('/^(not )?ok \d+/', $line, $match) !== 1) {
            return '';
        }
        if (isset($match[1])) {
            $this->counts->failed++;
            $this->failures[] = new Failure((string) preg_replace('/^not ok \d+( - )?/', '', $line));
            return null;
        }
        $this->counts->passed++;
        return '.';
    }

    public function tail(): int
    {
        return 40;
    }

    public function counts(int $exitCode): Counts
    {
        if ($exitCode === Suite::SKIPPED && $this->counts->total() === 0) {
            return new Counts(skipped: 1);
        }
        // A program that ended early has printed no plan.
        if ($this->planned !== $this->counts->total()) {
            $this->failures[] = new Failure("{$this->counts->total()} checks of $this->planned that were planned");
            $this->counts->failed++;
        }
        return $this->counts;
    }

    public function failures(): array
    {
        return $this->failures;
    }
}
