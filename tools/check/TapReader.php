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

    public function line(string $line): ?string
    {
        if (preg_match('/^# (\w+) (\d+)$/', $line, $match) === 1) {
            $this->totals[$match[1]] = (int) $match[2];
            return '';
        }
        if ($this->inDetails && preg_match('/^\s*(ok|# Subtest)/', $line) !== 1) {
            $this->inDetails = trim($line) !== '...';
            return null;
        }
        if (preg_match('/^\s*(not )?ok \d+/', $line, $match) !== 1) {
            return '';
        }
        $this->inDetails = isset($match[1]);
        return $this->inDetails ? null : '.';
    }

    public function tail(): int
    {
        return 0;
    }

    public function counts(int $exitCode): Counts
    {
        $total = fn(string $word): int => $this->totals[$word] ?? 0;
        return new Counts($total('pass'), $total('fail') + $total('cancelled'), $total('skipped') + $total('todo'));
    }
}
