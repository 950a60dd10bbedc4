<?php

declare(strict_types=1);

namespace XHProf\Tests\Bench;

use XHProf\Tools\Servers\Leash;

require_once __DIR__ . '/../../tools/servers/autoload.php';

/** A script of benchmarks/ that was run: its output and its exit code. */
final class BenchProcess
{
    private const ROOT = __DIR__ . '/../..';

    public readonly string $output;
    public readonly string $errors;
    public readonly int $exitCode;

    /**
     * @param list<string> $command
     * @param array<string, string> $environment in addition
     */
    public function __construct(array $command, array $environment = [])
    {
        $errors = tmpfile();
        if ($errors === false) {
            throw new \RuntimeException('no temporary file');
        }
        $process = proc_open(
            [...Leash::command(), 'timeout', '--kill-after=20', '1200', ...$command],
            [['file', '/dev/null', 'r'], ['pipe', 'w'], $errors],
            $pipes,
            self::ROOT,
            $environment + getenv(),
        );
        if ($process === false) {
            throw new \RuntimeException('cannot run ' . $command[0]);
        }
        $this->output = (string) stream_get_contents($pipes[1]);
        fclose($pipes[1]);
        $this->exitCode = proc_close($process);
        fseek($errors, 0);
        $this->errors = (string) stream_get_contents($errors);
    }

    /**
     * @param list<string> $options of benchmarks/run.php
     * @param string $peers the variable PEER_SO
     */
    public static function benchmark(array $options, string $peers = ''): self
    {
        return new self([PHP_BINARY, 'benchmarks/run.php', ...$options], ['PEER_SO' => $peers]);
    }
}
