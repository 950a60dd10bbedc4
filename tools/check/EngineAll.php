<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** Runs tests of the engine and its extensions, without the profiler and in each mode; differences have to be known ones. */
final class EngineAll
{
    private const BATCH = 200;
    /** How often a test must differ, run alone, to count. */
    private const ROUNDS = 3;
    /** Seconds of a batch. */
    private const TIMEOUT = 3600;

    private readonly string $folder;
    private readonly EngineRun $runner;

    /**
     * @param string $root the project
     * @param string $source the unpacked sources of PHP
     * @param list<string> $folders of the tests, below the sources
     * @param list<string> $modes
     * @param array{int, int} $part of the tests: its number and the number of parts
     * @param string $only tests whose path has this; "" for all
     */
    public function __construct(
        private readonly string $root,
        string $php,
        private readonly string $source,
        private readonly array $folders,
        private readonly array $modes,
        private readonly int $jobs,
        private readonly array $part,
        private readonly string $only,
        private readonly bool $fresh,
    ) {
        $this->folder = "$root/build/engine-all/" . basename($source);
        $this->runner = new EngineRun($root, $php, $source, $this->folder);
    }

    public function run(KnownDifferences $differences): Counts
    {
        is_dir("$this->folder/runs") || mkdir("$this->folder/runs", recursive: true);
        $this->runner->libraries();
        file_put_contents("$this->folder/plain.php", '');
        $tests = array_filter(
            EngineRun::found($this->source, $this->folders),
            fn(string $test): bool => $this->only === '' || str_contains($test, $this->only),
        );
        $tests = EngineRun::part(array_values($tests), ...$this->part);
        echo '# ', count($tests), " tests\n";
        $counts = new Counts();
        $plain = [];
        foreach ($this->modes as $mode) {
            $reference = EngineModes::plain($mode);
            $plain[$reference] ??= $this->results($reference, $tests, 'plain', EngineModes::plainSettings($reference), false);
            $counts->add($this->compare($mode, $plain[$reference], $differences));
        }
        return $counts;
    }

    /** @param array<string, string> $plain test => result without the profiler */
    private function compare(string $mode, array $plain, KnownDifferences $differences): Counts
    {
        file_put_contents("$this->folder/$mode.php", EngineModes::prepended($mode, $this->folder));
        $settings = [...EngineModes::plainSettings(EngineModes::plain($mode)), ...EngineModes::settings($mode, $this->folder)];
        $settings = array_values(array_unique($settings));
        $results = $this->results($mode, array_keys($plain), $mode, $settings, true);
        $suspects = array_filter(
            EngineComparison::suspects($plain, $results),
            static fn(string $test): bool => $differences->reason($mode, $test) === null,
        );
        $results = $this->confirmed(array_values($suspects), $mode, $settings) + $results;
        $comparison = new EngineComparison($plain, $results, $mode, $differences);
        foreach ($comparison->unknown as $test => $what) {
            echo "FAIL $mode: $test: $what\n";
        }
        foreach ($comparison->mended as $test) {
            echo "# $mode: $test is known to differ, and does not\n";
        }
        echo "# $mode: $comparison->same the same, ", count($comparison->known), ' known to differ, ',
            count($comparison->unknown), " differ, $comparison->without without a result\n";
        $skipped = count($comparison->known) + $comparison->without;
        return new Counts($comparison->same, count($comparison->unknown), $skipped);
    }

    /**
     * @param list<string> $tests
     * @param string $prepend the name of the file to prepend
     * @param list<string> $settings INI settings
     * @return array<string, string> test => result
     */
    private function results(string $name, array $tests, string $prepend, array $settings, bool $profiler): array
    {
        $key = $profiler ? (string) md5_file("$this->root/extension/modules/xhprof.so") : PHP_VERSION;
        $key .= ' ' . md5(implode("\n", $settings));
        $results = new EngineResults("$this->folder/$name.done", $key, $this->fresh);
        $missing = $results->missing($tests);
        $done = count($tests) - count($missing);
        echo "# $name", $done > 0 ? ", $done were done before" : '', "\n";
        foreach (array_chunk($missing, self::BATCH) as $batch) {
            $found = $this->runner->run($name, $batch, $prepend, $settings, $profiler, $this->jobs, self::TIMEOUT);
            // On a busy machine run-tests.php does not reach its workers, and ends: what it has left out runs without them.
            $left = array_values(array_filter($batch, static fn(string $test): bool => !isset($found[$test])));
            $found += $left === [] ? [] : $this->runner->run($name, $left, $prepend, $settings, $profiler, 1, self::TIMEOUT);
            $results->add($found + array_fill_keys($batch, 'MISSING'));
            $done += count($batch);
            echo "$name $done of ", count($tests), "\n";
        }
        return $results->of($tests);
    }

    /**
     * Runs suspects alone, without and with the profiler, up to ROUNDS times while they differ.
     *
     * @param list<string> $suspects
     * @param list<string> $settings
     * @return array<string, string> test => result; PASSED for one that did not differ each time
     */
    private function confirmed(array $suspects, string $mode, array $settings): array
    {
        $confirmed = [];
        for ($round = 0; $round < self::ROUNDS && $suspects !== []; $round++) {
            $plain = $this->runner->run("$mode-again", $suspects, $mode, $settings, false, 1, self::TIMEOUT);
            $again = $this->runner->run("$mode-again", $suspects, $mode, $settings, true, 1, self::TIMEOUT);
            $differ = EngineComparison::suspects($plain, $again);
            foreach ($suspects as $test) {
                $confirmed[$test] = in_array($test, $differ, true) ? $again[$test] ?? 'MISSING' : 'PASSED';
            }
            foreach ($differ as $test) {
                $this->runner->keepDifference($test, "$mode.");
            }
            $suspects = $differ;
        }
        return $confirmed;
    }
}
