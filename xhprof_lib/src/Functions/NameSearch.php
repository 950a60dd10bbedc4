<?php

declare(strict_types=1);

namespace XHProf\Functions;

/**
 * The functions that a search text names: those with the text in their name, whatever its case, or, between slashes, those that a
 * regular expression matches; of any case with an "i" behind it. The scripts find the same: profile/search.js.
 */
final class NameSearch
{
    private const PATTERN = '~\A/(.+)/(i?)\z~s';

    /** Seconds that a regular expression may take for all names together. */
    private const LONGEST = 1.5;

    /** Why nothing is found; '' if the text can be searched for. */
    public string $problem = '';

    public readonly string $text;

    private readonly bool $isExpression;

    /** Of PCRE; '' for all names. */
    private readonly string $pattern;

    /** When it takes too long, in nanoseconds. */
    private int|float|null $until = null;

    public function __construct(string $text)
    {
        $this->text = trim($text);
        [, $expression, $flags] = preg_match(self::PATTERN, $this->text, $match) === 1 ? $match : ['', '', ''];
        $this->isExpression = $expression !== '';
        if (!$this->isExpression) {
            $this->pattern = $this->text === '' ? '' : '~' . preg_quote(self::readable($this->text), '~') . '~iu';

            return;
        }
        try {
            $translated = (new ScriptPattern(ScriptPattern::halves(self::readable($expression))))->translated;
            $this->pattern = "~$translated~Du$flags";
            if (@preg_match($this->pattern, '') === false && preg_last_error() === PREG_INTERNAL_ERROR) {
                $this->problem = 'This is no regular expression: PCRE does not take it';
            }
        } catch (\UnexpectedValueException $e) {
            $this->pattern = '';
            $this->problem = "This is no regular expression: {$e->getMessage()}";
        }
    }

    /** A sentence for a table without rows. */
    public function none(): string
    {
        return $this->problem === '' ? 'No function matches.' : "$this->problem.";
    }

    public function matches(string $name): bool
    {
        if ($this->problem !== '' || $this->pattern === '') {
            return $this->problem === '';
        }
        $this->until ??= hrtime(true) + self::LONGEST * 1e9;
        $name = self::readable($name);
        $found = preg_match($this->pattern, $this->isExpression ? ScriptPattern::halves($name) : $name);
        if ($found === false || hrtime(true) > $this->until) {
            $this->problem = 'This regular expression takes too long';
        }

        return $found === 1 && $this->problem === '';
    }

    /**
     * @template T
     *
     * @param array<string, T> $rows by name
     *
     * @return array<string, T> those that are named; none where there is a problem
     */
    public function among(array $rows): array
    {
        $found = $this->text === '' ? $rows
            : array_filter($rows, fn (int|string $name): bool => $this->matches((string) $name), ARRAY_FILTER_USE_KEY);

        return $this->problem === '' ? $found : [];
    }

    /** The text with U+FFFD for bytes that are no UTF-8, as the scripts get it. */
    private static function readable(string $text): string
    {
        return preg_match('//u', $text) === 1
            ? $text
            : (string) json_decode((string) json_encode($text, JSON_INVALID_UTF8_SUBSTITUTE));
    }
}
