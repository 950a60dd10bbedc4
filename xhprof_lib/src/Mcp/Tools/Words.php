<?php

declare(strict_types=1);

namespace XHProf\Mcp\Tools;

use XHProf\Fleet\Ship\CleanTexts;
use XHProf\Format\VisibleName;
use XHProf\Secret\Redact;

/**
 * Words from the profiled program as assistants may read them: without secrets, by the rule of `xhprof ship`; on one line, without
 * control and direction characters; short; and between backquotes, out of which no name gets.
 */
final class Words
{
    /** Bytes of a name, and of a sentence. */
    private const NAME = 240;
    private const SENTENCE = 700;

    /** "GET /orders?page=2": of a URL the path and the names of its parameters stay, where a route of many requests has {id}. */
    private const URL = '~\A([A-Z]+ )(\S*/.*)\z~s';

    private readonly Redact $redact;

    private readonly CleanTexts $clean;

    public function __construct()
    {
        $this->redact = Redact::here();
        $this->clean = new CleanTexts($this->redact);
    }

    /** A name as it is shown, and as it may be given back as an argument. */
    public function name(string $name, int $limit = self::NAME): string
    {
        // Cut first: a name may have a megabyte.
        return VisibleName::text($this->cleaned(VisibleName::text($name, 2 * $limit)), $limit);
    }

    public function sentence(string $text): string
    {
        $text = trim((string) preg_replace('/\s+/', ' ', substr($text, 0, 8 * self::SENTENCE)));

        return VisibleName::text($this->clean->of(VisibleName::text($text, 2 * self::SENTENCE)), self::SENTENCE);
    }

    private function cleaned(string $text): string
    {
        return preg_match(self::URL, $text, $parts) === 1
            ? $parts[1] . $this->redact->url($parts[2])
            : $this->clean->of($text);
    }

    /** A name between backquotes: more of them than it has in a row. */
    public function code(string $name, int $limit = self::NAME): string
    {
        $text = $this->name($name, $limit);
        if ($text === '') {
            return '';
        }
        preg_match_all('/`+/', $text, $found);
        $fence = str_repeat('`', 1 + max([0, ...array_map(strlen(...), $found[0])]));
        $space = str_starts_with($text, '`') || str_ends_with($text, '`') ? ' ' : '';

        return "$fence$space$text$space$fence";
    }
}
