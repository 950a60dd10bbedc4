<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/**
 * The scripts of tools/ that count themselves: lines "# text" and "FAIL text" are shown, lines of dots are progress, "again: NAME"
 * passed when it was run again, and the last "N passed, N failed[, N skipped]" counts. Also reads another make check, which
 * reports the skipped in a line of their own.
 */
final class ReportReader implements Reader
{
    private ?Counts $counts = null;
    private int $skipped = 0;
    /** @var list<Failure> */
    private array $failures = [];
    /** @var list<string> passed when run again */
    private array $again = [];
    /** @var list<Failure> of another make check: its list of all */
    private array $listed = [];

    public function line(string $line): ?string
    {
        $line = trim($line);
        if (preg_match('/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/', $line, $match) === 1) {
            $this->counts = new Counts((int) $match[1], (int) $match[2], (int) ($match[3] ?? 0) + $this->skipped);
            return '';
        }
        if (preg_match('/^(\d+) skipped$/', $line, $match) === 1) {
            $this->skipped = (int) $match[1];
            return '';
        }
        if (preg_match('/^failed: (.+)$/', $line, $match) === 1) {
            $this->listed[] = new Failure($match[1]);
            return '';
        }
        if (preg_match('/^again: (.+)$/', $line, $match) === 1) {
            $this->again[] = $match[1];
            return '';
        }
        if (preg_match('/^(?:FAIL|not ok \d+(?: -)?) (.+)$/', $line, $match) === 1) {
            $this->failures[] = new Failure($match[1]);
        }
        if (preg_match('/^(# |\[\d|FAIL|not ok)| \.\.\.$/', $line) === 1) {
            return null;
        }
        return preg_match('/^[.S]+$/', $line) === 1 ? $line : '';
    }

    public function tail(): int
    {
        return 40;
    }

    public function counts(int $exitCode): Counts
    {
        if ($exitCode === Suite::SKIPPED && $this->counts === null) {
            return new Counts(skipped: 1);
        }
        $counts = $this->counts ?? new Counts();
        $counts->again = $this->again;
        return $counts;
    }

    public function failures(): array
    {
        return $this->listed ?: $this->failures;
    }
}
