<?php

declare(strict_types=1);

namespace XHProf\Check;

use XHProf\Functions\NameSearch;

/** A text, with * for any other; or between slashes a regular expression, as in the search of the pages. */
final class Pattern
{
    private function __construct(
        public readonly string $text,
        private readonly string $expression,
        private readonly ?NameSearch $search,
    ) {
    }

    /** @return self|string a sentence where it is none */
    public static function parse(string $text): self|string
    {
        if (trim($text) === '') {
            return 'a pattern is empty';
        }
        if (preg_match('~\A/.+/i?\z~s', $text) === 1) {
            $search = new NameSearch($text);

            return $search->problem === '' ? new self($text, '', $search) : lcfirst($search->problem);
        }

        return new self($text, '~\A' . str_replace('\*', '.*', preg_quote($text, '~')) . '\z~s', null);
    }

    /** Whether it may match more than one text. */
    public function isMany(): bool
    {
        return $this->search !== null || str_contains($this->text, '*');
    }

    public function matches(string $text): bool
    {
        return $this->search === null ? preg_match($this->expression, $text) === 1 : $this->search->matches($text);
    }
}
