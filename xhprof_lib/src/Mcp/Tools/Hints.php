<?php

declare(strict_types=1);

namespace XHProf\Mcp\Tools;

use XHProf\Mcp\Guide;

/**
 * What a report says about the other faces of the project, a command, its options, a page, as a hint for who can only call tools.
 * Commands for which there is no tool stay: an assistant may run them.
 */
final class Hints
{
    /** "The page Memory has all jobs" */
    private const PAGE = '/\b([Tt])he page ([A-Z][a-z]+)\b/';

    /** "`xhprof report ID --findings`" */
    private const COMMAND = '/`(xhprof ([a-z]+)[^`]*)`/';

    /** ", --start=aggregate lists them": an option of a command, which is no argument of the tool */
    private const OPTION = '/[,;] --[a-z]+(?:=\S+)? [^,;.]*/';

    /** @param string $text of a report, and not of the profiled program */
    public static function forTools(string $text): string
    {
        if (!str_contains($text, '`xhprof ') && !str_contains($text, ' --') && !str_contains($text, 'he page ')) {
            return $text;
        }
        $text = (string) preg_replace(self::OPTION, '', $text);
        $text = (string) preg_replace_callback(self::COMMAND, static function (array $found): string {
            $tool = Guide::tool($found[1]);

            return $tool === null ? $found[0] : "the tool $tool";
        }, $text);

        return (string) preg_replace_callback(self::PAGE, static function (array $found): string {
            $tool = Guide::tool('xhprof ' . strtolower($found[2]));

            return $tool === null ? $found[0] : "$found[1]he tool $tool";
        }, $text);
    }
}
