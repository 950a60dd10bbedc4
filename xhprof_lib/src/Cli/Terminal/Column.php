<?php

declare(strict_types=1);

namespace XHProf\Cli\Terminal;

/** One column of a table. */
final class Column
{
    public const LEFT = 'left';
    public const RIGHT = 'right';

    /** Columns of a name behind the branches of a tree. */
    private const LEAST_NAME = 12;

    /**
     * @param self::LEFT|self::RIGHT $align
     * @param int    $least  width to keep when the table is too wide; 0: never shortened
     * @param int    $weight a table that is too wide loses the columns of the highest weight first; 0: always shown
     * @param string $style  of symfony/console, like "fg=red", or nothing
     * @param string $separator of a list that is shortened from its end; nothing: a text, shortened in its middle
     * @param bool   $isBranch whether the signs of a tree's branches are kept
     */
    public function __construct(
        public readonly string $title,
        public readonly string $align = self::RIGHT,
        public readonly int $least = 0,
        public readonly int $weight = 0,
        public readonly string $style = '',
        public readonly string $separator = '',
        public readonly bool $isBranch = false,
    ) {
    }

    /** The column of names: it shrinks if there is no room. */
    public static function name(string $title, int $least = 26): self
    {
        return new self($title, self::LEFT, $least);
    }

    /** The style of a change's cell: signs distinguish more from less, the colours repeat it. */
    public static function styleOf(int|float $delta): string
    {
        return $delta > 0 ? 'fg=yellow' : ($delta < 0 ? 'fg=cyan' : '');
    }

    public function fit(string $cell, int $width, string $mark): string
    {
        if ($this->isBranch && preg_match('/^(?:[│├└|`][─ -] |   )*/u', $cell, $match) === 1) {
            $room = max(self::LEAST_NAME, $width - TextFit::width($match[0]));

            return $match[0] . TextFit::shorten(substr($cell, strlen($match[0])), $room, $mark);
        }

        return $this->separator === ''
            ? TextFit::shorten($cell, $width, $mark)
            : TextFit::shortenList($cell, $this->separator, $width, $mark);
    }
}
