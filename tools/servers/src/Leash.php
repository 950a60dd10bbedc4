<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/** Ends a process together with the one that started it, however that ends. */
final class Leash
{
    private const PROGRAM = '/usr/bin/setpriv';

    /** @var list<string>|null */
    private static ?array $command = null;

    /**
     * @return list<string> what comes before a command, so that it gets SIGTERM at the end of the process that starts it; nothing
     *     where util-linux does not have it
     */
    public static function command(): array
    {
        if (self::$command === null) {
            $help = is_executable(self::PROGRAM) ? (string) shell_exec(self::PROGRAM . ' --help 2>/dev/null') : '';
            self::$command = str_contains($help, '--pdeathsig') ? [self::PROGRAM, '--pdeathsig', 'TERM'] : [];
        }

        return self::$command;
    }
}
