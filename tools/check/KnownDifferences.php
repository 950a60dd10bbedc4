<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/**
 * Tests of the engine that are known to differ, from lines "MODE[,MODE...]  TEST  REASON". MODE is "*" for all; lines that
 * begin with "#" and empty ones are skipped.
 */
final class KnownDifferences
{
    /** @param array<string, array<string, string>> $reasons mode => test => reason */
    private function __construct(private readonly array $reasons)
    {
    }

    /**
     * @param list<string> $modes that there are
     * @throws \InvalidArgumentException for a line that lacks something, or names another mode
     */
    public static function parse(string $text, array $modes): self
    {
        $reasons = [];
        foreach (explode("\n", $text) as $index => $line) {
            if (trim($line) === '' || str_starts_with($line, '#')) {
                continue;
            }
            $fields = preg_split('/\s+/', trim($line), 3) ?: [];
            if (count($fields) < 3) {
                throw new \InvalidArgumentException(sprintf('line %d: wanted are MODE, TEST and REASON', $index + 1));
            }
            $named = $fields[0] === '*' ? $modes : explode(',', $fields[0]);
            if (($unknown = array_diff($named, $modes)) !== []) {
                throw new \InvalidArgumentException(
                    sprintf('line %d: no mode %s; there are: %s', $index + 1, implode(', ', $unknown), implode(', ', $modes)),
                );
            }
            foreach ($named as $mode) {
                $reasons[$mode][$fields[1]] = $fields[2];
            }
        }
        return new self($reasons);
    }

    public function reason(string $mode, string $test): ?string
    {
        return $this->reasons[$mode][$test] ?? null;
    }

    /** @return list<string> tests that are known for a mode */
    public function tests(string $mode): array
    {
        return array_map(strval(...), array_keys($this->reasons[$mode] ?? []));
    }
}
