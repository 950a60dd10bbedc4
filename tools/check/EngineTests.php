<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/**
 * The engine's own tests, profiled. Each with a bad result is run alone, without and with the profiler: only tests that differ
 * every time count.
 */
final class EngineTests
{
    /** How often a test must differ, run alone, to count. */
    private const ROUNDS = 3;

    /** Runs with the extension => title, the same without it, text for a test that differs. */
    private const PROFILES = [
        'profiled' => ['Profiled to the end', 'plain', 'profiled'],
        'checked' => ['Profiled, figures checked', 'unchecked', 'profiled and stopped at its end'],
    ];
    private const ALLOCATIONS = [
        'tracked' => ['Every allocation tracked', 'plain', 'its allocations are tracked'],
        'sampled' => ['Allocations sampled', 'plain', 'its allocations are sampled'],
    ];

    private readonly string $logs;
    private readonly EngineRun $runner;

    /**
     * @param string $name of the log folder
     * @param string $source the unpacked sources of PHP
     * @param list<string> $settings INI settings of every run
     * @param bool $alloc allocations instead of times
     * @param bool $once each test in one of the runs only, every other test in the first
     * @param array{int, int} $part of the tests: its number and the number of parts
     */
    public function __construct(
        private readonly string $root,
        string $php,
        private readonly string $name,
        private readonly string $source,
        private readonly array $settings,
        private readonly bool $alloc = false,
        private readonly bool $once = false,
        private readonly array $part = [1, 1],
    ) {
        $this->logs = "$root/build/log/$name";
        $this->runner = new EngineRun($root, $php, $source, $this->logs);
    }

    public function run(): Counts
    {
        $this->prepare();
        $tests = EngineRun::part(EngineRun::found($this->source, EngineRun::ENGINE), ...$this->part);
        $runs = $this->alloc ? self::ALLOCATIONS : self::PROFILES;
        $passing = $bad = $broken = [];
        foreach (array_keys($runs) as $index => $run) {
            [$title, $reference, $when] = $runs[$run];
            echo "# $title\n";
            $part = $this->once ? EngineRun::part($tests, $index + 1, count($runs)) : $tests;
            $results = $this->tests($run, $part, true, true);
            $passing += array_filter($results, EngineRun::good(...));
            $suspects = array_values(array_filter($part, static fn(string $test): bool
                => !EngineRun::good($results[$test] ?? 'MISSING')));
            if (count($suspects) === count($part)) {
                echo "FAIL no test of the engine passes here: build/log/$this->name/$run.log\n";
                return new Counts(failed: 1);
            }
            foreach ($this->confirmed($suspects, $run, $reference, $passing, $broken) as $test => $result) {
                $bad[$test] = "$result when $when";
                $this->runner->keepDifference($test);
            }
        }
        foreach ($this->violations() as $test => $violation) {
            $bad[$test] = $violation;
        }
        foreach ($bad as $test => $why) {
            echo "FAIL $test: $why\n";
        }
        // A test that passed in one run, and failed in another for a reason other than the profiler, has passed.
        $passed = count(array_diff_key($passing, $bad));
        $failing = count(array_filter(array_diff_key($broken, $passing), static fn(string $result): bool
            => $result !== 'SKIPPED'));
        $without = count($tests) - $passed - count($bad);
        echo "# of $without that do not pass without the profiler either, $failing fail\n";
        return new Counts($passed, count($bad), $without);
    }

    /**
     * Tests that differ every time when run alone.
     *
     * @param list<string> $suspects
     * @param array<string, string> $passing receives those that are good then => result
     * @param array<string, string> $broken receives those that are bad without the profiler too => result
     * @return array<string, string> test => result
     */
    private function confirmed(array $suspects, string $run, string $reference, array &$passing, array &$broken): array
    {
        $results = [];
        for ($round = 0; $round < self::ROUNDS && $suspects !== []; $round++) {
            $without = $this->tests($reference, $suspects, false, false);
            $broken += array_filter($without, static fn(string $result): bool => !EngineRun::good($result));
            $results = $this->tests($run, $suspects, false, true);
            $passing += array_filter($results, EngineRun::good(...));
            // A missing result without the profiler does not excuse a test.
            $suspects = EngineComparison::suspects($without + array_fill_keys($suspects, 'PASSED'), $results);
        }
        $confirmed = [];
        foreach ($suspects as $test) {
            $confirmed[$test] = $results[$test] ?? 'MISSING';
        }
        return $confirmed;
    }

    /**
     * @param list<string> $tests files below the sources
     * @param bool $all run in parallel
     * @return array<string, string> test => PASSED, FAILED, SKIPPED, ...
     */
    private function tests(string $run, array $tests, bool $all, bool $profiler): array
    {
        $jobs = $all ? max(2, (int) shell_exec('nproc')) : 1;
        return $this->runner->run($run . ($all ? '' : '-again'), $tests, $run, $this->settings, $profiler, $jobs, 1500);
    }

    /** Writes the files to prepend, and a folder with the extensions that tests may load. */
    private function prepare(): void
    {
        exec('rm -rf ' . escapeshellarg($this->logs), result_code: $status);
        $status === 0 || throw new \RuntimeException("cannot remove $this->logs");
        $this->runner->libraries();
        mkdir("$this->logs/violations");
        $enable = "xhprof_enable(XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY);\n";
        $check = strtr((string) file_get_contents("$this->root/tools/engine/shutdown.inc"), [
            '{lib}' => "$this->root/extension/tests/lib.inc",
            '{folder}' => "$this->logs/violations",
        ]);
        file_put_contents("$this->logs/plain.php", '');
        file_put_contents("$this->logs/profiled.php", "<?php\n" . EngineModes::EVERYTHING . "\n");
        file_put_contents("$this->logs/checked.php", "$check\n$enable");
        file_put_contents("$this->logs/unchecked.php", $check);
        file_put_contents("$this->logs/tracked.php", "<?php\nmemprof_enable();\n");
        // Far enough apart for tests with 50,000 nested calls: each sample visits all of them.
        file_put_contents("$this->logs/sampled.php", "<?php\nini_set('xhprof.alloc_sample_bytes', '64K');\nmemprof_enable();\n"
            . "ini_restore('xhprof.alloc_sample_bytes');\n");
    }

    /** @return array<string, string> test => the figures that do not add up */
    private function violations(): array
    {
        $violations = [];
        foreach (glob("$this->logs/violations/*") ?: [] as $file) {
            $lines = file($file, FILE_IGNORE_NEW_LINES) ?: ['?'];
            $script = (string) array_shift($lines);
            $test = preg_replace('/\.php$/', '.phpt', str_replace("$this->source/", '', $script));
            $violations[(string) $test] = implode('; ', array_slice($lines, 0, 3));
        }
        return $violations;
    }
}
