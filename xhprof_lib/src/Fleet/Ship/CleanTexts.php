<?php

declare(strict_types=1);

namespace XHProf\Fleet\Ship;

use XHProf\Format\Text;
use XHProf\Secret\Redact;
use XHProf\Secret\Secret;

/**
 * Texts without secrets, by the rule of Secret\Redact: routes as routes, all others as what somebody typed. The names of most
 * functions hold none of the characters that a secret needs, and the same ones come back with every run.
 */
final class CleanTexts
{
    /** Names that are remembered. */
    private const REMEMBERED = 20000;

    private const LONGEST = 1000;

    /** "GET /orders": a method and a path. */
    private const ROUTE = '~\A[A-Z-]+ \S*/~';

    /** What stands before or after a secret that a name gives away: "token=x", "user:password@host", "--password x". */
    private const MAYBE = '/[=@?&%\s"\']/';

    /** @var array<string, string> */
    private array $known = [];

    public function __construct(private readonly Redact $redact)
    {
    }

    public function of(string $text): string
    {
        return $this->known["\0$text"] ?? $this->remember($text);
    }

    private function remember(string $text): string
    {
        if (count($this->known) >= self::REMEMBERED) {
            $this->known = [];
        }
        // Bytes that are not UTF-8 are escaped; a control character stays in no text that others read.
        $clean = preg_match('/\A[^\x00-\x1F\x7F]*\z/u', $text) === 1 ? $text : Text::printable($text);
        if (preg_match(self::ROUTE, $clean) === 1) {
            $clean = $this->redact->route($clean);
        } elseif (preg_match(self::MAYBE, $clean) === 1 || Secret::showsIn($clean)) {
            $clean = $this->redact->commandLine($clean);
        }
        // Cut between characters.
        for ($clean = substr($clean, 0, self::LONGEST); preg_match('//u', $clean) !== 1;) {
            $clean = substr($clean, 0, -1);
        }

        return $this->known["\0$text"] = $clean;
    }
}
