<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** Node's test runner with the TAP reporter: counts from the totals at its end. */
final class TapReader implements Reader
{
    /** @var array<string, int> by Node's word: tests, pass, fail, cancelled, skipped, todo ... */
    private array $totals = [];

    /** Inside the details of a failed test. */
    private bool $inDetails = false;

    /** @var list<string> checks that passed when run again: a test prints "again: WHAT" */
    private array $again = [];

    /** @var list<array{string, list<string>}> name, details */
    private array $failures = [];

    public function line(string $line): ?string
    {
        if (preg_match('/^# (\w+) (\d+)$/', $line, $match) === 1) {
            $this->totals[$match[1]] = (int) $match[2];
            return '';
        }
        if (preg_match('/^\s*(?:# )?again: (.+)$/', $line, $match) === 1) {
            $this->again[] = $match[1];
            return null;
        }
        if ($this->inDetails && preg_match('/^\s*(ok|# Subtest)/', $line) !== 1) {
            $this->inDetails = trim($line) !== '...';
            $this->failures[count($this->failures) - 1][1][] = trim($line);
            return null;
        }
        if (preg_match('/^\s*(not )?ok \d+/', $line, $match) !== 1) {
            return '';
        }
        $this->inDetails = isset($match[1]);
        if ($this->inDetails) {
            $this->failures[] = [(string) preg_replace('/^\s*not ok \d+( - )?/', '', $line), []];
        }
        return $this->inDetails ? null : '.';
    }

    public function tail(): int
    {
        return 0;
    }

    public function counts(int $exitCode): Counts
    {
        $total = fn(string $word): int => $this->totals[$word] ?? 0;
        return new Counts($total('pass'), $total('fail') + $total('cancelled'), $total('skipped') + $total('todo'), $this->again);
    }

    public function failures(): array
    {
        $failures = [];
        foreach ($this->failures as [$name, $details]) {
            // Suites fail with their tests, and are not counted.
            if (!in_array("failureType: 'subtestsFailed'", $details, true)) {
                $about = '/^(---|\.\.\.|duration_ms:|type:|location:|failureType:|error: \|-$)/';
                $failures[] = new Failure($name, array_values(preg_grep($about, $details, PREG_GREP_INVERT) ?: []));
            }
        }
        return $failures;
    }
}
