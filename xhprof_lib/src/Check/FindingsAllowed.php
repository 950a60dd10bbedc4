<?php

declare(strict_types=1);

namespace XHProf\Check;

/** Which findings a run may have, by rule. */
final class FindingsAllowed
{
    public const NONE = 'none';
    public const NONE_NEW = 'none new';
    public const ANY = 'any';

    public const WORDS = [self::NONE, self::NONE_NEW, self::ANY];

    /** For the rules that are not named. */
    private const OTHERS = '*';

    /** @param array<string, self::NONE|self::NONE_NEW|self::ANY> $words by rule, or for OTHERS */
    private function __construct(private readonly array $words, public readonly string $file, public readonly int $line)
    {
    }

    /** @param self::NONE|self::NONE_NEW|self::ANY $word for all rules */
    public static function all(string $word, string $file = '', int $line = 0): self
    {
        return new self([self::OTHERS => $word], $file, $line);
    }

    /** @param array<string, self::NONE|self::NONE_NEW|self::ANY> $words by rule; of others there may be any */
    public static function byRule(array $words, string $file, int $line): self
    {
        return new self($words, $file, $line);
    }

    /** @return self::NONE|self::NONE_NEW|self::ANY */
    public function of(string $rule): string
    {
        return $this->words[$rule] ?? $this->words[self::OTHERS] ?? self::ANY;
    }

    public function needsBaseline(): bool
    {
        return in_array(self::NONE_NEW, $this->words, true);
    }
}
