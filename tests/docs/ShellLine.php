<?php

declare(strict_types=1);

namespace XHProf\Tests\Docs;

/** The commands of one line of shell, of a YAML file or of a Dockerfile, as words. */
final class ShellLine
{
    private const PREFIXES = ['sudo', 'exec', 'time', 'nice', 'env', 'php', '.', '$'];

    /**
     * @return list<list<string>> commands without their prefixes: variables, sudo, php
     */
    public static function commands(string $line): array
    {
        $line = (string) preg_replace('~^\s*(?:-\s+)?(?:\w+:\s+)?(?:RUN\s+)?~', '', $line);
        $commands = [];
        foreach (self::parts($line) as $words) {
            $words = self::withoutPrefixes($words);
            if ($words !== []) {
                $commands[] = $words;
            }
        }

        return $commands;
    }

    /**
     * @return list<list<string>> words between "|", ";", "&" and brackets, without redirections and comments
     */
    private static function parts(string $line): array
    {
        $token = '~\G\s*(?:(?<comment>#.*)|(?<redirection>\d?(?:>>|>&?|<)\s*(?!\()[^\s|;&()]*)|(?<end>\|\|?|;|&&?|[()]|\$\(|<\()'
            . '|(?<word>(?:"(?:\\\\.|[^"\\\\])*"|\'[^\']*\'|\\\\.|[^\s|;&()"\'<>])+))~';
        preg_match_all($token, $line, $found, PREG_SET_ORDER | PREG_UNMATCHED_AS_NULL);
        $parts = [[]];
        foreach ($found as $match) {
            if ($match['end'] !== null) {
                $parts[] = [];
            } elseif ($match['word'] !== null) {
                $parts[array_key_last($parts)][] = self::unquoted($match['word']);
            }
        }

        return array_values(array_filter($parts));
    }

    private static function unquoted(string $word): string
    {
        return (string) preg_replace('~"((?:\\\\.|[^"\\\\])*)"|\'([^\']*)\'|\\\\(.)~', '$1$2$3', $word);
    }

    /**
     * @param list<string> $words
     *
     * @return list<string>
     */
    private static function withoutPrefixes(array $words): array
    {
        while ($words !== []) {
            $isPrefix = in_array($words[0], self::PREFIXES, true) || preg_match('~\A[A-Z_][A-Z0-9_]*=~', $words[0]) === 1;
            if ($words[0] === '-u') {
                array_shift($words);
            } elseif (!$isPrefix) {
                break;
            }
            array_shift($words);
        }

        return $words;
    }
}
