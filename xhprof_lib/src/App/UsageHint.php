<?php

declare(strict_types=1);

namespace XHProf\App;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Exception\CommandNotFoundException;
use Symfony\Component\Console\Exception\ExceptionInterface;

/** Message for a command line that symfony/console does not understand: the likely intention, or the usage of the command. */
final class UsageHint
{
    /**
     * @param list<string> $commands names of those that are listed
     * @param Command|null $command  the one that was to run
     */
    public static function message(ExceptionInterface $error, array $commands, ?Command $command): string
    {
        $message = rtrim($error->getMessage(), '.');
        if ($error instanceof CommandNotFoundException) {
            if (preg_match('/\ACommand "(.*?)" is not defined/s', $message, $match) !== 1) {
                return $message;
            }
            $meant = self::closest($match[1], $commands);

            return $match[0] . ($meant === null ? ';' : "; did you mean $meant?") . ' `xhprof` lists the commands';
        }
        if ($command === null) {
            return $message;
        }
        if (preg_match('/"--([^"]+)" option does not exist/', $message, $match) === 1) {
            $meant = self::closest($match[1], array_keys($command->getDefinition()->getOptions()));
            $message .= $meant === null ? '' : "; did you mean --$meant?";
        }

        return $message . (str_ends_with($message, '?') ? ' Usage: ' : '; usage: ') . $command->getSynopsis(true);
    }

    /**
     * @param list<string> $words
     *
     * @return string|null the one that differs by one letter, or by two of a long word; two that changed places count as one
     */
    public static function closest(string $typed, array $words): ?string
    {
        $found = null;
        $least = strlen($typed) < 6 ? 2 : 3;
        foreach ($words as $word) {
            $distance = self::distance($typed, $word);
            if ($distance < $least) {
                [$found, $least] = [$word, $distance];
            }
        }

        return $found;
    }

    private static function distance(string $a, string $b): int
    {
        $least = levenshtein($a, $b);
        for ($i = 0; $i + 1 < strlen($a); $i++) {
            $swapped = $a;
            [$swapped[$i], $swapped[$i + 1]] = [$a[$i + 1], $a[$i]];
            $least = min($least, 1 + levenshtein($swapped, $b));
        }

        return $least;
    }
}
