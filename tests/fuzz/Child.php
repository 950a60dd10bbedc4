<?php

declare(strict_types=1);

namespace XHProf\Tests\Fuzz;

/** A process that may die. */
final class Child
{
    /** Seconds without output after which a process counts as hung: far more than any step takes. */
    private const HANGS = 120;

    private function __construct()
    {
    }

    /**
     * @param list<string> $command
     * @param array<string, string> $environment besides this process's
     * @param int $steps it prints something before each
     * @return array{int, string} exit code, or 128 and the signal that ended it; its output
     */
    public static function run(array $command, array $environment = [], int $steps = 1): array
    {
        // A file, not a pipe: a grandchild that still writes to it is not waited for.
        $outputFile = (string) tempnam(sys_get_temp_dir(), 'xhprof-fuzz-');
        $streams = [['file', '/dev/null', 'r'], ['file', $outputFile, 'w'], ['file', $outputFile, 'a']];
        $limit = (string) (self::HANGS * $steps); // also where no process waits for it any more
        $process = proc_open(['timeout', '--signal=KILL', $limit, ...$command], $streams, $pipes, null, $environment + getenv());
        $status = $process === false ? -1 : self::wait($process, $outputFile);
        $text = (string) file_get_contents($outputFile);
        unlink($outputFile);

        return [$status, $text];
    }

    /**
     * @param resource $process
     */
    private static function wait($process, string $outputFile): int
    {
        $bytes = -1;
        $since = 0;
        while (($state = proc_get_status($process))['running']) {
            clearstatcache(true, $outputFile);
            if (filesize($outputFile) !== $bytes) {
                [$bytes, $since] = [filesize($outputFile), hrtime(true)];
            } elseif (hrtime(true) - $since > self::HANGS * 1e9) {
                proc_terminate($process);
            }
            usleep(2000);
        }
        proc_close($process);

        return $state['signaled'] ? 128 + $state['termsig'] : $state['exitcode'];
    }
}
