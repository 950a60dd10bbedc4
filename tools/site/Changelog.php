<?php

declare(strict_types=1);

namespace XHProf\Tools\Site;

/** The file CHANGELOG, which is plain text, as Markdown: releases and subjects are headings, names of the program are code. */
final class Changelog
{
    private const RELEASE = '~\A\d+\.\d+\.\d+\b~';
    private const NAMES = '~(?<![\w/.$>:-])(?:bin/xhprof(?:-inspect)?|(?:xhprof|memprof)\.[a-z_]+(?![\w.])'
        . '|(?:xhprof|memprof)_\w+\(\)|XHPROF_[A-Z_]+\*?|--[a-z][a-z-]+)(?![\w/-])~';

    public static function markdown(string $text): string
    {
        $lines = explode("\n", $text);
        $made = [];
        foreach ($lines as $index => $line) {
            $next = $lines[$index + 1] ?? '';
            $isAlone = $line !== '' && ($lines[$index - 1] ?? '') === '';
            $made[] = match (true) {
                $index === 0 => '# ' . self::escaped($line),
                preg_match(self::RELEASE, $line) === 1 && $isAlone => '## ' . self::escaped($line),
                $isAlone && str_starts_with($next, '- ') && !str_starts_with($line, '- ') => '### ' . self::escaped($line) . "\n",
                str_starts_with($line, '- ') => '- ' . self::escaped(substr($line, 2)),
                default => self::escaped($line),
            };
        }

        return implode("\n", $made);
    }

    /** Escapes what Markdown would take for markup, but for names of the program, which become code. */
    private static function escaped(string $line): string
    {
        $escape = static fn (string $part): string => (string) preg_replace('~[\\\\`*_{}\[\]<>#|&\~!+]~', '\\\\$0', $part);
        $text = '';
        $end = 0;
        preg_match_all(self::NAMES, $line, $names, PREG_OFFSET_CAPTURE);
        foreach ($names[0] as [$name, $offset]) {
            $text .= $escape(substr($line, $end, $offset - $end)) . "`$name`";
            $end = $offset + strlen($name);
        }

        return $text . $escape(substr($line, $end));
    }
}
