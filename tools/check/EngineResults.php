<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/**
 * Results of many tests in a file that grows, so that an interrupted run continues. The first line is the key of the tested
 * configuration; another key starts the file anew.
 */
final class EngineResults
{
    /** @var array<string, string> test => result */
    private array $results = [];

    public function __construct(private readonly string $file, string $key, bool $fresh = false)
    {
        $lines = $fresh || !is_file($file) ? [] : (file($file) ?: []);
        $same = rtrim((string) array_shift($lines)) === $key;
        file_put_contents($file, "$key\n");
        foreach ($same ? $lines : [] as $line) {
            // The last line may have been cut; its test is run again then.
            if (preg_match('/^([A-Z]+)\t(.+)\n$/', $line, $match) === 1) {
                $this->results[$match[2]] = $match[1];
            }
        }
        $this->add($this->results);
    }

    /** @param array<string, string> $results test => result */
    public function add(array $results): void
    {
        $text = '';
        foreach ($results as $test => $result) {
            $text .= "$result\t$test\n";
            $this->results[$test] = $result;
        }
        file_put_contents($this->file, $text, FILE_APPEND | LOCK_EX);
    }

    /**
     * @param list<string> $tests
     * @return list<string> those without a result
     */
    public function missing(array $tests): array
    {
        return array_values(array_filter($tests, fn(string $test): bool => !isset($this->results[$test])));
    }

    /**
     * @param list<string> $tests
     * @return array<string, string> test => result, of those that have one
     */
    public function of(array $tests): array
    {
        return array_intersect_key($this->results, array_flip($tests));
    }
}
