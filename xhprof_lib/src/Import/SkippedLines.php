<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Format\Text;
use XHProf\Secret\Redact;

/** Lines of a file that could not be used: how many they are, and where the first ones stand. */
final class SkippedLines
{
    private const EXAMPLES = 3;
    private const LONGEST = 40;
    private const SEEN = 1000;

    private int $count = 0;

    /** @var list<string> */
    private array $examples = [];

    /**
     * @param string $why without a dot; '' where the line itself says it
     */
    public function add(int $line, string $text, string $why = ''): void
    {
        if (++$this->count <= self::EXAMPLES) {
            // The examples are kept with the run.
            $text = Redact::here()->commandLine(substr(rtrim($text), 0, self::SEEN));
            $text = Text::printable(strlen($text) > self::LONGEST ? substr($text, 0, self::LONGEST) . '...' : $text);
            $this->examples[] = "line $line (" . ($why === '' ? '' : "$why: ") . "\"$text\")";
        }
    }

    public function count(): int
    {
        return $this->count;
    }

    /** The lines in words: 'line 3 ("x"), line 4 ("y") and 7 more'. */
    public function examples(): string
    {
        $more = $this->count - count($this->examples);

        return implode(', ', $this->examples) . ($more > 0 ? " and $more more" : '');
    }

    /** @return list<string> a sentence without a dot, or none */
    public function notes(): array
    {
        return match ($this->count) {
            0 => [],
            1 => ["1 line was skipped: {$this->examples()}"],
            default => ["$this->count lines were skipped: {$this->examples()}"],
        };
    }
}
