<?php

declare(strict_types=1);

namespace XHProf\Demo\Fleet;

use XHProf\Tools\Servers\ClickHouse;

/** A bin/xhprof of its own, as one of the store's users. */
final class XhprofCommand
{
    private function __construct(public readonly int $exitCode, public readonly string $out, public readonly string $err)
    {
    }

    /**
     * Runs it to its end.
     *
     * @param list<string>                   $arguments
     * @param key-of<ClickHouse::USERS>|null $user        whose password it gets
     * @param array<string, string>          $environment in addition
     * @param list<string>                   $starter     a command that starts the one that follows it
     */
    public static function run(array $arguments, ?string $user = null, array $environment = [], array $starter = []): self
    {
        $environment += $user === null
            ? []
            : ['XHPROF_SHIP_USER' => $user, 'XHPROF_SHIP_PASSWORD' => ClickHouse::USERS[$user]];
        [$out, $err] = [tmpfile(), tmpfile()];
        if ($out === false || $err === false) {
            throw new \RuntimeException('cannot make a temporary file');
        }
        $command = [...$starter, PHP_BINARY, dirname(__DIR__, 2) . '/bin/xhprof', ...$arguments];
        $process = proc_open($command, [['file', '/dev/null', 'r'], $out, $err], $pipes, null, $environment + getenv());
        if ($process === false) {
            throw new \RuntimeException('cannot start bin/xhprof');
        }
        $code = proc_close($process);
        rewind($out);
        rewind($err);

        return new self($code, (string) stream_get_contents($out), (string) stream_get_contents($err));
    }
}
