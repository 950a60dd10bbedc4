<?php

declare(strict_types=1);

namespace XHProf\Check;

use XHProf\Format\ClosestWord;
use XHProf\Profile\StableNames;

/** A function that a limit names, or several by a pattern. Closures are found under their stable names too. */
final class FunctionPattern
{
    private function __construct(private readonly Pattern $pattern, public readonly bool $isMany)
    {
    }

    /** @return self|string a sentence where it is none */
    public static function parse(string $text): self|string
    {
        $pattern = Pattern::parse($text);

        return is_string($pattern) ? $pattern : new self($pattern, $pattern->isMany());
    }

    public function text(): string
    {
        return $this->pattern->text;
    }

    /**
     * @param list<string> $names of the functions of a run
     *
     * @return list<string> those that it names
     */
    public function among(array $names): array
    {
        if (!$this->isMany && in_array($this->text(), $names, true)) {
            return [$this->text()];
        }
        $found = array_values(array_filter($names, $this->pattern->matches(...)));
        if ($found !== []) {
            return $found;
        }
        $stable = array_filter(StableNames::assign($names), $this->pattern->matches(...));

        return array_map(strval(...), array_keys($stable));
    }

    /**
     * @param list<string> $names
     *
     * @return string|null the function that was meant where none is found
     */
    public function meant(array $names): ?string
    {
        return $this->isMany ? null : ClosestWord::ofName($this->text(), $names);
    }
}
