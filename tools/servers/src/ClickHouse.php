<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/** The engine of ClickHouse behind tests/fleet/engine/server.mjs, for tests and the demo: see there what it is not. */
final class ClickHouse
{
    private const ROOT = __DIR__ . '/../../..';

    /** Password of the user of this name. */
    public const USERS = [
        'admin' => 'all of it', 'writer' => 'only inserts', 'reader' => 'only reads', 'visitor' => 'reads less',
        'judge' => 'saves too',
    ];

    public readonly Folder $folder;
    public readonly int $port;
    private Daemon $daemon;

    /** @param string|null $data folder of the data; null: one that ends with this object */
    public function __construct(private readonly ?string $data = null)
    {
        $this->folder = new Folder();
        $this->daemon = $this->start(0);
        preg_match_all('/^listening on (\d+)$/m', $this->daemon->output(), $found);
        $this->port = (int) end($found[1]);
    }

    /** @return string|null why there is none */
    public static function missing(): ?string
    {
        return is_file(self::engine() . '/.installed') ? null : 'the engine is not installed (make check-fleet)';
    }

    public function pid(): int
    {
        return $this->daemon->pid;
    }

    /** The folder of its data. */
    public function data(): string
    {
        return $this->data ?? "{$this->folder->path}/clickhouse";
    }

    /** Its address, as --to has it. */
    public function url(string $database = 'fleet'): string
    {
        return "clickhouse://127.0.0.1:$this->port/$database";
    }

    public function kill(): void
    {
        $this->daemon->stop(SIGKILL);
    }

    /** Lets it finish. */
    public function stop(): void
    {
        $this->daemon->stop(SIGTERM);
    }

    /** The same data at the same address, after kill() or stop(). */
    public function restart(): void
    {
        $this->daemon = $this->start($this->port);
    }

    /** Bytes of memory of its process. */
    public function memory(): int
    {
        $status = (string) @file_get_contents("/proc/{$this->daemon->pid}/status");

        return preg_match('/^VmRSS:\s+(\d+) kB/m', $status, $match) === 1 ? 1024 * (int) $match[1] : 0;
    }

    public function log(): string
    {
        return $this->daemon->output();
    }

    private static function engine(): string
    {
        return self::ROOT . '/build/fleet/engine';
    }

    private function start(int $port): Daemon
    {
        $log = "{$this->folder->path}/clickhouse.out";
        file_put_contents($log, '');
        $passwords = [];
        foreach (self::USERS as $name => $password) {
            $passwords['FLEET_' . strtoupper($name)] = $password;
        }
        $script = self::ROOT . '/tests/fleet/engine/server.mjs';
        $command = ['node', (string) realpath($script), (string) realpath(self::engine()), $this->data(), (string) $port];
        $daemon = new Daemon($command, $log, $passwords);
        $daemon->await(static fn (): bool => str_contains((string) file_get_contents($log), 'listening on '));

        return $daemon;
    }
}
