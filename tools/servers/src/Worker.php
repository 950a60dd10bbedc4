<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/** A process of the command line that does the jobs of demo/shop/worker.php. */
final class Worker
{
    private readonly Daemon $daemon;
    private readonly string $log;

    /**
     * @param Folder $folder that all workers of a test share
     * @param list<string> $settings of php.ini, as "name=value"; {folder} is the shared one
     */
    public function __construct(Folder $folder, array $settings, int $jobs, int $ms = 0)
    {
        $name = $folder->path . '/worker' . bin2hex(random_bytes(4));
        $this->log = "$name.out";
        file_put_contents("$name.ini", Site::ini($folder, $settings));
        $script = dirname(__DIR__, 3) . '/demo/shop/worker.php';
        $this->daemon = new Daemon([PHP_BINARY, '-c', "$name.ini", $script, (string) $jobs, (string) $ms], $this->log);
    }

    public function signal(int $signal): void
    {
        $this->daemon->signal($signal);
    }

    /** Waits for its end. */
    public function finish(): WorkerEnd
    {
        return new WorkerEnd($this->daemon->finish(), $this->lines());
    }

    /** @return list<string> what it has printed */
    public function lines(): array
    {
        return file($this->log, FILE_IGNORE_NEW_LINES) ?: [];
    }
}
