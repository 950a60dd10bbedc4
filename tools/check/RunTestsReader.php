<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** php-src's run-tests.php: counts from its list of results (option -W), progress from its output. */
final class RunTestsReader implements Reader
{
    private bool $inDiff = false;
    /** @var list<string> the lines that differ in the last diff */
    private array $diff = [];
    /** @var list<Failure> */
    private array $failures = [];

    /** @var list<string> tests that passed when run again */
    private array $again = [];

    /** @param string $results the file that -W names: a line "RESULT<tab>test" each */
    public function __construct(private readonly string $results)
    {
    }

    public function line(string $line): ?string
    {
        if ($this->inDiff || str_starts_with($line, '========DIFF')) {
            if (!$this->inDiff) {
                $this->diff = [];
            } elseif (preg_match('/^\d+[+-]/', $line) === 1) {
                $this->diff[] = $line;
            }
            $this->inDiff = !str_starts_with($line, '========DONE');
            return null;
        }
        // Without a terminal it prints one such line per test.
        if (preg_match('/^(PASS|FAIL|SKIP|XFAIL|XLEAK|WARN|LEAK|BORK|TERMED)(&[A-Z]+)* /', $line, $match) !== 1) {
            return '';
        }
        $mark = match ($match[1]) {
            'PASS', 'XFAIL' => '.',
            'SKIP' => 'S',
            default => null,
        };
        if ($mark === null) {
            $name = preg_match('/\[([^\[\]]+)\][^\[\]]*$/', $line, $found) === 1 ? $found[1] : $line;
            // run-tests.php repeats a failed test whose text has certain words ("usleep("), and warns when it passes then.
            if (str_ends_with($line, '(warn: Test passed on retry attempt)')) {
                $this->again[] = $name;
            } else {
                $why = $match[1] === 'FAIL' ? $this->diff : [trim((string) strrchr($line, ']'), '] ') ?: $match[1]];
                $this->failures[] = new Failure($name, $why);
            }
        }
        $this->diff = [];
        return $mark;
    }

    public function tail(): int
    {
        return 0;
    }

    public function counts(int $exitCode): Counts
    {
        $counts = new Counts(again: $this->again);
        $again = count($this->again);
        foreach (is_file($this->results) ? (array) file($this->results, FILE_IGNORE_NEW_LINES) : [] as $line) {
            $result = strstr((string) $line, "\t", true);
            // An expected failure that fails is a pass. Other warnings, leaks and broken tests are failures.
            if ($result === 'WARNED' && $again-- > 0) {
                $result = 'PASSED';
            }
            match ($result) {
                'PASSED', 'XFAILED' => $counts->passed++,
                'SKIPPED' => $counts->skipped++,
                default => $counts->failed++,
            };
        }
        return $counts;
    }

    public function failures(): array
    {
        return $this->failures;
    }
}
