<?php

declare(strict_types=1);

namespace XHProf\Check;

use XHProf\Format\Text;

/** Which runs a budget is for: all that it names must be so. A text may have * for any other text. */
final class Selector
{
    public const ROUTE = 'route';
    public const COMMAND = 'command';
    public const URL = 'url';
    public const TEST = 'test';
    public const SOURCE = 'source';
    public const RELEASE = 'release';
    public const TAG = 'tag';

    /** Keys of a budget that choose runs; "meta" has keys of its own. */
    public const KEYS = [self::ROUTE, self::COMMAND, self::URL, self::TEST, self::SOURCE, self::RELEASE, self::TAG];

    /** @param array<string, Pattern> $patterns by one of KEYS, or "meta.KEY" */
    public function __construct(private readonly array $patterns)
    {
    }

    public function isForAll(): bool
    {
        return $this->patterns === [];
    }

    public function matches(Traits $run): bool
    {
        foreach ($this->patterns as $key => $pattern) {
            if (array_filter($run->of($key), $pattern->matches(...)) === []) {
                return false;
            }
        }

        return true;
    }

    /** @return array{string, string}|null the key and the text that decide, of which a nearest one may be meant */
    public function first(): ?array
    {
        foreach ($this->patterns as $key => $pattern) {
            return [$key, $pattern->text];
        }

        return null;
    }

    /** "route GET /reviews", "all runs"; printable. */
    public function text(): string
    {
        $words = [];
        foreach ($this->patterns as $key => $pattern) {
            $words[] = "$key $pattern->text";
        }

        return $words === [] ? 'all runs' : Text::printable(implode(', ', $words));
    }
}
