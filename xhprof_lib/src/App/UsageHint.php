<?php

declare(strict_types=1);

namespace XHProf\App;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Exception\CommandNotFoundException;
use Symfony\Component\Console\Exception\ExceptionInterface;
use XHProf\Format\ClosestWord;

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
            $meant = ClosestWord::of($match[1], $commands);

            return $match[0] . ($meant === null ? ';' : "; did you mean $meant?") . ' `xhprof` lists the commands';
        }
        if ($command === null) {
            return $message;
        }
        if (preg_match('/"--([^"]+)" option does not exist/', $message, $match) === 1) {
            $meant = ClosestWord::of($match[1], array_keys($command->getDefinition()->getOptions()));
            $message .= $meant === null ? '' : "; did you mean --$meant?";
        }

        return $message . (str_ends_with($message, '?') ? ' Usage: ' : '; usage: ') . $command->getSynopsis(true);
    }
}
