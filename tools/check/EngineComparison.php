<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** Compares outcomes of the same tests in one mode and without the profiler: which differ, and which of those are known to. */
final class EngineComparison
{
    /** Number of tests with the same outcome as without the profiler. */
    public readonly int $same;

    /** Number of tests that have no result without the profiler: nothing to compare with. */
    public readonly int $without;

    /** @var array<string, string> test => "PASSED, FAILED when profiled" */
    public readonly array $unknown;

    /** @var array<string, string> test => reason */
    public readonly array $known;

    /** @var list<string> tests that are known to differ, were run, and do not */
    public readonly array $mended;

    /**
     * @param array<string, string> $plain test => PASSED, FAILED, SKIPPED, ...
     * @param array<string, string> $profiled the same in the mode; a test that is missing has not ended
     */
    public function __construct(array $plain, array $profiled, string $mode, KnownDifferences $differences)
    {
        $unknown = $known = [];
        foreach (self::suspects($plain, $profiled) as $test) {
            $reason = $differences->reason($mode, $test);
            if ($reason === null) {
                $unknown[$test] = "$plain[$test] without the profiler, " . ($profiled[$test] ?? 'missing') . ' with it';
            } else {
                $known[$test] = $reason;
            }
        }
        $this->unknown = $unknown;
        $this->known = $known;
        $this->without = count(array_keys($plain, 'MISSING', true));
        $this->same = count($plain) - count($unknown) - count($known) - $this->without;
        $this->mended = array_values(array_filter(
            $differences->tests($mode),
            static fn(string $test): bool => isset($plain[$test]) && !isset($known[$test]),
        ));
    }

    /**
     * Tests that are worse in a mode. A test that passes only with the profiler does not count: that is chance, or breaks
     * nothing.
     *
     * @param array<string, string> $plain
     * @param array<string, string> $profiled
     * @return list<string>
     */
    public static function suspects(array $plain, array $profiled): array
    {
        $suspects = [];
        foreach ($plain as $test => $result) {
            $other = $profiled[$test] ?? 'MISSING';
            if ($other !== $result && !EngineRun::good($other) && ($result === 'SKIPPED' || EngineRun::good($result))) {
                $suspects[] = (string) $test;
            }
        }
        return $suspects;
    }
}
