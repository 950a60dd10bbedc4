<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/** A server of data in a temporary folder, on a unix socket that only its user can reach; it stops with this object. */
abstract class Database
{
    /** The signal that ends it, whether it has clients or not. */
    protected const ENDS = SIGTERM;

    public readonly Folder $folder;
    protected Daemon $daemon;

    /** @param list<string> $options of the server, added to those that make it small and quick */
    final public function __construct(protected readonly array $options = [])
    {
        $this->folder = new Folder();
        $this->prepare();
        $this->daemon = new Daemon($this->command(), "{$this->folder->path}/server.out");
        $this->daemon->await($this->answers(...));
    }

    /** Its folder goes after it. */
    public function __destruct()
    {
        if ($this->daemon->isRunning()) {
            $this->daemon->stop(static::ENDS);
        }
        unset($this->daemon);
    }

    /** The reason why it cannot be started here, or null. */
    abstract public static function missing(): ?string;

    /** @return list<string> the extensions with which PHP can reach it */
    abstract public static function extensions(): array;

    /** The name of an environment variable and its value: where a program finds this server. */
    abstract public static function variable(): string;

    abstract public function address(): string;

    /** The path of its socket. */
    abstract public function socket(): string;

    /** What it has printed. */
    public function log(): string
    {
        return $this->daemon->output();
    }

    /** Ends it at once: its clients lose their connections. */
    public function kill(): void
    {
        $this->daemon->stop(SIGKILL);
    }

    /** @return list<string> */
    abstract protected function command(): array;

    /** Whether it serves. */
    abstract protected function answers(): bool;

    /** Makes its files. */
    protected function prepare(): void
    {
    }

    /**
     * What the server says to a client that connects and sends these bytes, or an empty text.
     *
     * @param int $length the most bytes to read
     */
    protected function ask(string $bytes, int $length): string
    {
        $connection = @stream_socket_client('unix://' . $this->socket(), $code, $message, 0.5);
        if ($connection === false) {
            return '';
        }
        stream_set_timeout($connection, 1);
        fwrite($connection, $bytes);
        $answer = (string) fread($connection, max(1, $length));
        fclose($connection);

        return $answer;
    }

    /**
     * Runs a program of the server to its end.
     *
     * @param list<string> $command
     * @param string $input a file
     */
    protected function finish(array $command, string $input = '/dev/null'): void
    {
        $program = new Daemon($command, "{$this->folder->path}/prepare.out", input: $input);
        if ($program->finish(300.0) !== 0) {
            throw new ServerFailure("$command[0] fails: {$program->output()}");
        }
    }
}
