<?php

declare(strict_types=1);

namespace XHProf\Tests\Fuzz;

/** A process that may die. */
final class Child
{
    /** Seconds after which a process hangs: far from what any of them takes. */
    private const HANGS = 120;

    private function __construct()
    {
    }

    /**
     * @param list<string> $command
     * @param array<string, string> $environment besides this process's
     * @return array{int, string} exit code, or 128 and the signal that ended it; its output
     */
    public static function run(array $command, array $environment = []): array
    {
        // A shell's exit code tells signals; what is left in the pipe by a grandchild is not waited for.
        $said = (string) tempnam(sys_get_temp_dir(), 'xhprof-fuzz-');
        $streams = [['file', '/dev/null', 'r'], ['file', $said, 'w'], ['file', $said, 'a']];
        $shell = ['sh', '-c', '"$0" "$@"; exit $?', 'timeout', '--signal=KILL', (string) self::HANGS, ...$command];
        $process = proc_open($shell, $streams, $pipes, null, $environment + getenv());
        $status = $process === false ? -1 : proc_close($process);
        $text = (string) file_get_contents($said);
        unlink($said);

        return [$status, $text];
    }
}
