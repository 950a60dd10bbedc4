<?php

declare(strict_types=1);

namespace XHProf\Check;

use XHProf\Exception\InvalidCheck;
use XHProf\Format\Text;
use XHProf\Functions\NameSearch;

/** A text, with * for any other; or between slashes a regular expression, as in the search of the pages. */
final class Pattern
{
    private function __construct(public readonly string $text, private readonly ?NameSearch $search)
    {
    }

    /**
     * @param bool $isPath whether texts may begin and end with slashes: "/blog/" is one then, and not "blog" as an expression
     *
     * @return self|string a sentence where it is none
     */
    public static function parse(string $text, bool $isPath = false): self|string
    {
        if (trim($text) === '') {
            return 'a pattern is empty';
        }
        $isPlain = $isPath && preg_match('~[\^$|()\[\]{}+?\\\\]~', $text) !== 1;
        $search = !$isPlain && preg_match('~\A/.+/i?\z~s', $text) === 1 ? new NameSearch($text) : null;

        return ($search->problem ?? '') === '' ? new self($text, $search) : lcfirst((string) $search?->problem);
    }

    /** Whether it may match more than one text. */
    public function isMany(): bool
    {
        return $this->search !== null || str_contains($this->text, '*');
    }

    /** @throws InvalidCheck for a regular expression that takes too long: what it does not find is not known */
    public function matches(string $text): bool
    {
        if ($this->search === null) {
            return $this->isLike($text);
        }
        $isFound = $this->search->matches($text);
        if ($this->search->problem !== '') {
            throw new InvalidCheck(Text::printable($this->text) . ': ' . lcfirst($this->search->problem));
        }

        return $isFound;
    }

    /** The parts between the stars, one after the other: each where it comes first. */
    private function isLike(string $text): bool
    {
        $parts = explode('*', $this->text);
        $first = array_shift($parts);
        $last = array_pop($parts);
        if ($last === null) {
            return $text === $first;
        }
        if (!str_starts_with($text, $first)) {
            return false;
        }
        $at = strlen($first);
        foreach ($parts as $part) {
            $found = strpos($text, $part, $at);
            if ($found === false) {
                return false;
            }
            $at = $found + strlen($part);
        }

        return strlen($text) - $at >= strlen($last) && str_ends_with($text, $last);
    }
}
