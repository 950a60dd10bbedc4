<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** PHPUnit: counts from its JUnit file, progress as it prints it. */
final class JUnitReader implements Reader
{
    /** @var list<Failure> */
    private array $failures = [];

    /** @param string $report the file that --log-junit names */
    public function __construct(private readonly string $report)
    {
    }

    public function line(string $line): string
    {
        return preg_match('/^([.FEWRISDN]+)( +\d+ \/ \d+ \( *\d+%\))?$/', $line, $match) === 1 ? $match[1] : '';
    }

    public function tail(): int
    {
        return 200;
    }

    public function counts(int $exitCode): Counts
    {
        // A runner that crashed leaves no report, or an empty one.
        libxml_use_internal_errors(true);
        $xml = is_file($this->report) ? simplexml_load_file($this->report) : false;
        $counts = new Counts();
        foreach ($xml === false ? [] : ($xml->xpath('//testcase') ?: []) as $case) {
            if (isset($case->failure) || isset($case->error)) {
                $counts->failed++;
                // The text begins with the name.
                $text = explode("\n", (string) ($case->failure ?? $case->error));
                $this->failures[] = new Failure("$case[class]::$case[name]", array_slice($text, 1));
            } elseif (isset($case->skipped)) {
                $counts->skipped++;
            } else {
                $counts->passed++;
            }
        }
        return $counts;
    }

    public function failures(): array
    {
        return $this->failures;
    }
}
