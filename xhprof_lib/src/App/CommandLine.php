<?php

declare(strict_types=1);

namespace XHProf\App;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Exception\CommandNotFoundException;
use Symfony\Component\Console\Input\ArgvInput;
use Symfony\Component\Console\Input\InputDefinition;
use XHProf\Fleet\Cli\FleetCommand;
use XHProf\Heap\Cli\HeapCommand;
use XHProf\Script\RunSettings;

/**
 * The arguments of this process. For `run`, everything after the script's name belongs to the
 * script, also without `--`: `xhprof run --cpu app.php --verbose` gives --verbose to app.php.
 */
final class CommandLine extends ArgvInput
{
    /** Commands whose questions are commands of their own: "heap summary" is heap:summary. */
    private const QUESTIONED = [HeapCommand::NAME, FleetCommand::NAME];

    public static function input(Application $application): self
    {
        $arguments = $_SERVER['argv'] ?? ['xhprof'];
        $arguments = array_map(strval(...), array_values(is_array($arguments) ? $arguments : ['xhprof']));
        $at = self::commandAt($arguments);
        if ($at !== null && $arguments[$at] === '_complete') {
            return new self(self::rewriteCompletion($arguments, $application));
        }
        if ($at !== null) {
            $arguments = self::joinSubcommand($arguments, $at, $application);
        }
        $run = $at === null ? null : self::named($arguments[$at], $application);
        if ($at !== null && $run?->getName() === 'run') {
            $run->mergeApplicationDefinition(false);
            $arguments = self::separate($arguments, $at, $run->getDefinition());
        } elseif ($at !== null) {
            $arguments = self::joinDashes($arguments, $at);
        }

        return new self($arguments);
    }

    /**
     * Puts `--` before the first argument that is no option, or is php's -r, and joins options with their values.
     *
     * @param list<string> $arguments argv
     * @param int          $at        where the command's name is
     * @return list<string>
     */
    public static function separate(array $arguments, int $at, InputDefinition $options): array
    {
        for ($i = $at + 1; $i < count($arguments); $i++) {
            $argument = $arguments[$i];
            if ($argument === '--') {
                return $arguments;
            }
            if ($argument === '-' || !str_starts_with($argument, '-') || str_starts_with($argument, RunSettings::CODE)) {
                array_splice($arguments, $i, 0, ['--']);

                return $arguments;
            }
            if (self::takesNext($argument, $options) && isset($arguments[$i + 1])) {
                // joined, so that a value may begin with a dash: -d "-c php.ini"
                $value = (str_starts_with($argument, '--') ? '=' : '') . $arguments[$i + 1];
                array_splice($arguments, $i, 2, [$argument . $value]);
            }
        }

        return $arguments;
    }

    /**
     * `heap summary`, which is the command heap:summary; after `help` too, and with options between them.
     *
     * @param list<string> $arguments argv
     * @param int          $at        where the command's name is
     * @return list<string>
     */
    private static function joinSubcommand(array $arguments, int $at, Application $application): array
    {
        $at += $arguments[$at] === 'help' ? 1 : 0;
        $word = $at + 1;
        while (str_starts_with($arguments[$word] ?? '', '-')) {
            $word++;
        }
        $joined = ($arguments[$at] ?? '') . ':' . ($arguments[$word] ?? '');
        if (in_array($arguments[$at] ?? '', self::QUESTIONED, true) && $application->has($joined)) {
            $arguments[$at] = $joined;
            array_splice($arguments, $word, 1);
        }

        return $arguments;
    }

    /**
     * Rewrites the request of a shell that completes a line: `_complete --no-interaction -sbash -c2 -ixhprof -iheap -isum`. We
     * ask no questions and have no such option. `heap summary`, once the cursor is behind it, is the command heap:summary.
     *
     * @param list<string> $arguments argv
     *
     * @return list<string>
     */
    private static function rewriteCompletion(array $arguments, Application $application): array
    {
        $arguments = array_values(array_diff($arguments, ['--no-interaction']));
        $at = static fn (string $pattern): array => array_keys(preg_grep($pattern, $arguments) ?: []);
        [, $command, $word] = $at('/\A-i/') + [-1, -1, -1];
        [$cursor] = $at('/\A-c[0-9]+\z/') + [-1];
        $name = substr($arguments[$command] ?? '', 2);
        $subcommand = "$name:" . substr($arguments[$word] ?? '', 2);
        $position = (int) substr($arguments[$cursor] ?? '', 2);
        if ($position > 2 && in_array($name, self::QUESTIONED, true) && $application->has($subcommand)) {
            $joined = [$command => "-i$subcommand", $cursor => '-c' . ($position - 1)];
            $arguments = array_diff_key(array_replace($arguments, $joined), [$word => true]);
        }

        return array_values($arguments);
    }

    /**
     * Joins `-o -`, which the parser would take for two options, to `-o-`.
     *
     * @param list<string> $arguments argv
     * @param int          $at        where the command's name is
     * @return list<string>
     */
    private static function joinDashes(array $arguments, int $at): array
    {
        for ($i = $at + 2; $i < count($arguments) && $arguments[$i - 1] !== '--'; $i++) {
            if ($arguments[$i] === '-' && preg_match('/\A(?:-[a-z]|--[a-z-]+)\z/', $arguments[$i - 1]) === 1) {
                $equals = str_starts_with($arguments[$i - 1], '--') ? '=' : '';
                array_splice($arguments, $i - 1, 2, [$arguments[$i - 1] . $equals . '-']);
            }
        }

        return $arguments;
    }

    /**
     * Options of the application may come before the command; none of them takes a value.
     *
     * @param list<string> $arguments argv
     * @return int|null null if there is no command
     */
    private static function commandAt(array $arguments): ?int
    {
        for ($at = 1; $at < count($arguments) && $arguments[$at] !== '--'; $at++) {
            if (!str_starts_with($arguments[$at], '-')) {
                return $at;
            }
        }

        return null;
    }

    /** The command of this name or abbreviation; null: it is reported when the command is to be run. */
    private static function named(string $word, Application $application): ?Command
    {
        try {
            return $application->find($word);
        } catch (CommandNotFoundException) {
            return null;
        }
    }

    /** Whether the option's value is the next argument: `--source S`, `-d K=V`; not `--source=S`, `-dK=V`. */
    private static function takesNext(string $argument, InputDefinition $options): bool
    {
        if (str_starts_with($argument, '--')) {
            $name = substr($argument, 2);

            // An option with an optional value takes it after "=" only: `--sample app.php`.
            return $options->hasOption($name) && $options->getOption($name)->isValueRequired();
        }
        $shortcut = substr($argument, -1);

        return strlen($argument) === 2
            && $options->hasShortcut($shortcut)
            && $options->getOptionForShortcut($shortcut)->acceptValue();
    }
}
