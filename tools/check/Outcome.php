<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** Counts of a suite that has ended, and its failures that have a name. */
final class Outcome
{
    /** Most lines of a failure's details, and their length. */
    private const LINES = 4;
    private const WIDTH = 160;

    /** @param list<array{string, list<string>}> $failures name, a few lines of details */
    private function __construct(public readonly Counts $counts, public array $failures = [])
    {
    }

    /**
     * @param string $log the file with its output
     * @param string $xml the file of Report::JUnit
     */
    public static function read(Report $report, int $exitCode, string $log, string $xml): self
    {
        $output = str_replace("\r", '', (string) file_get_contents($log));
        $outcome = match ($report) {
            Report::ExitCode => new self(new Counts((int) ($exitCode === 0), (int) !in_array($exitCode, [0, Suite::SKIPPED]))),
            Report::Tap => self::tap($output),
            Report::Totals => self::totals($output),
            Report::JUnit => self::jUnit($xml),
        };
        if ($exitCode === Suite::SKIPPED && $outcome->counts->total() === 0 && $report !== Report::JUnit) {
            return new self(new Counts(skipped: 1));
        }
        return $outcome;
    }

    private static function tap(string $output): self
    {
        // Of Node's runner a failed test has its details behind it, and what a test prints begins with "#".
        $details = '/^[ \t]*not ok \d+(?: - |)(.*)(?:\n[ \t]*---\n((?:(?![ \t]*\.\.\.$).*\n)*+))?/m';
        preg_match_all($details, $output, $failed, PREG_SET_ORDER | PREG_UNMATCHED_AS_NULL);
        $about = '/^(duration_ms:|type:|location:|failureType:|error: \|-$)/';
        $failures = [];
        foreach ($failed as [, $name, $text]) {
            // A group fails with its tests, and is not counted.
            if (!str_contains($text ?? '', "failureType: 'subtestsFailed'")) {
                $lines = array_map(trim(...), explode("\n", $text ?? ''));
                $failures[] = [$name, self::clipped(preg_grep($about, $lines, PREG_GREP_INVERT) ?: [])];
            }
        }
        if (preg_match_all('/^# (\w+) (\d+)$/m', $output, $match) > 0 && in_array('tests', $match[1], true)) {
            $totals = array_combine($match[1], array_map(intval(...), $match[2]))
                + ['pass' => 0, 'fail' => 0, 'cancelled' => 0, 'skipped' => 0, 'todo' => 0];
            $counts = new Counts($totals['pass'], $totals['fail'] + $totals['cancelled'], $totals['skipped'] + $totals['todo']);
        } else {
            $counts = new Counts((int) preg_match_all('/^ok \d+/m', $output), (int) preg_match_all('/^not ok \d+/m', $output));
            preg_match_all('/^1\.\.(\d+)$/m', $output, $plans);
            // A program that ended early has printed no plan.
            if (array_sum($plans[1]) != $counts->total()) {
                $failures[] = ["{$counts->total()} checks of " . array_sum($plans[1]) . ' that were planned', []];
                $counts->failed++;
            }
        }
        preg_match_all('/^\s*(?:# )?again: (.+)$/m', $output, $again);
        $counts->again = $again[1];
        return new self($counts, $failures);
    }

    private static function totals(string $output): self
    {
        preg_match_all('/^\s*(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/m', $output, $totals, PREG_SET_ORDER);
        // Another make check reports the skipped in a line of their own, and lists all failures at its end.
        preg_match_all('/^(\d+) skipped$/m', $output, $skipped);
        preg_match_all('/^failed: (.+)$/m', $output, $listed);
        preg_match_all('/^\s*(?:FAIL|not ok \d+(?: -)?) (.+)$/m', $output, $failed);
        preg_match_all('/^again: (.+)$/m', $output, $again);
        $last = array_pop($totals) ?? [];
        $counts = new Counts(
            (int) ($last[1] ?? 0),
            (int) ($last[2] ?? 0),
            (int) ($last[3] ?? 0) + ($last === [] ? 0 : (int) array_pop($skipped[1])),
            $again[1],
        );
        return new self($counts, array_map(static fn(string $name): array => [$name, []], $listed[1] ?: $failed[1]));
    }

    private static function jUnit(string $file): self
    {
        // A runner that crashed leaves no report, or an empty one. That of run-tests.php may have characters that XML forbids.
        libxml_use_internal_errors(true);
        $text = preg_replace('/[\x00-\x08\x0b\x0c\x0e-\x1f]/', '?', is_file($file) ? (string) file_get_contents($file) : '');
        $xml = simplexml_load_string((string) $text);
        $outcome = new self(new Counts());
        foreach ($xml === false ? [] : ($xml->xpath('//testcase') ?: []) as $case) {
            $name = preg_replace('/\.phpt \(.*/s', '.phpt', isset($case['class']) ? "$case[class]::$case[name]" : "$case[name]");
            // run-tests.php repeats a failed test whose text has certain words ("usleep("), and warns when it passes then. Its
            // other warnings, and leaks, are failures; an expected failure is a pass.
            if (str_contains((string) $case->warning, 'Test passed on retry attempt')) {
                $outcome->counts->passed++;
                $outcome->counts->again[] = (string) $name;
            } elseif (isset($case->failure) || isset($case->error) || isset($case->warning)) {
                $outcome->counts->failed++;
                $problem = $case->failure ?? $case->error ?? $case->warning;
                $lines = array_map(trim(...), explode("\n", "{$problem['message']}\n$problem"));
                // PHPUnit's text begins with the name; a difference has a number before each line that differs.
                $lines = preg_grep('/^\d+[+-]/', $lines) ?: array_filter($lines, static fn(string $line): bool => $line !== $name);
                $outcome->failures[] = [(string) $name, self::clipped($lines) ?: [(string) $problem['type']]];
            } elseif (isset($case->skipped)) {
                $outcome->counts->skipped++;
            } else {
                $outcome->counts->passed++;
            }
        }
        return $outcome;
    }

    /**
     * @param array<string> $lines
     * @return list<string>
     */
    private static function clipped(array $lines): array
    {
        $lines = array_slice(array_values(array_filter($lines, static fn(string $line): bool => $line !== '')), 0, self::LINES);
        return array_map(
            static fn(string $line): string => strlen($line) > self::WIDTH ? substr($line, 0, self::WIDTH) . ' ...' : $line,
            $lines,
        );
    }
}
