<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** PHPUnit: counts from its JUnit file, progress as it prints it. */
final class JUnitReader implements Reader
{
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
        // A runner that broke leaves no report, or an empty one.
        libxml_use_internal_errors(true);
        $xml = is_file($this->report) ? simplexml_load_file($this->report) : false;
        $counts = new Counts();
        foreach ($xml === false ? [] : ($xml->xpath('//testcase') ?: []) as $case) {
            if (isset($case->failure) || isset($case->error)) {
                $counts->failed++;
            } elseif (isset($case->skipped)) {
                $counts->skipped++;
            } else {
                $counts->passed++;
            }
        }
        return $counts;
    }
}
