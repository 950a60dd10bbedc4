<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use RuntimeException;

/** A process that renames files over one another without end, as a hostile user of a shared folder does. */
final class Exchange
{
    /** Of three names: the second and the third take turns as the first. */
    private const REPLACE = <<<'PHP'
        [, $name, $a, $b] = $argv;
        for ($n = 0; !file_exists("$name.stop"); $n++) {
            copy($n % 2 ? $a : $b, "$name.new");
            rename("$name.new", $name);
            if ($n === 0) {
                touch("$name.began");
            }
        }
        echo $n;
        PHP;

    /** Of two names: their files are exchanged. */
    private const SWAP = <<<'PHP'
        [, $name, $other] = $argv;
        for ($n = 0; !file_exists("$name.stop"); $n++) {
            rename($name, "$name.third");
            rename($other, $name);
            rename("$name.third", $other);
            if ($n === 0) {
                touch("$name.began");
            }
        }
        echo $n;
        PHP;

    /** @var resource */
    private $process;

    /** @var resource */
    private $output;

    /** Returns after the first exchanges. */
    public function __construct(private readonly string $name, string ...$others)
    {
        $code = count($others) === 1 ? self::SWAP : self::REPLACE;
        $process = proc_open([PHP_BINARY, '-n', '-r', $code, '--', $name, ...array_values($others)], [1 => ['pipe', 'w']], $pipes);
        if (!is_resource($process)) {
            throw new RuntimeException('no process');
        }
        $this->process = $process;
        $this->output = $pipes[1];
        while (!file_exists("$name.began")) {
            if (!proc_get_status($process)['running']) {
                throw new RuntimeException('the process ended');
            }
            usleep(1000);
            clearstatcache();
        }
    }

    public function __destruct()
    {
        if (is_resource($this->process)) {
            proc_terminate($this->process, 9);
            proc_close($this->process);
        }
    }

    /** @return int how often names were exchanged */
    public function end(): int
    {
        touch("$this->name.stop");
        $count = (int) stream_get_contents($this->output);
        fclose($this->output);
        proc_close($this->process);

        return $count;
    }
}
