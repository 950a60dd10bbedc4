<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/** `php -S` on a free port of the loopback interface, with the same application or another script. */
final class DevServer
{
    public readonly Folder $folder;
    public readonly Client $client;
    private readonly Daemon $daemon;

    /**
     * @param list<string> $settings of php.ini, as "name=value"; {folder} is the temporary one
     * @param int $workers processes of PHP
     * @param array<string, string> $environment in addition
     * @param string|null $script null for the application
     */
    public function __construct(array $settings, int $workers = 1, array $environment = [], ?string $script = null)
    {
        $this->folder = new Folder();
        $path = $this->folder->path;
        Site::prepare($this->folder);
        // Those of php.ini are loaded before those of its folder: pdo_mysql before pdo. Those of the command line come last.
        $extensions = array_filter($settings, static fn(string $setting): bool => str_starts_with($setting, 'extension='));
        file_put_contents("$path/php.ini", Site::ini($this->folder, array_values(array_diff($settings, $extensions))));
        $options = array_merge(...array_map(static fn(string $setting): array => ['-d', $setting], array_values($extensions)));
        $address = self::freeAddress();
        $this->daemon = new Daemon(
            [PHP_BINARY, '-c', "$path/php.ini", ...$options, '-S', $address, $script ?? Site::script()],
            "$path/server.out",
            $environment + ($workers > 1 ? ['PHP_CLI_SERVER_WORKERS' => (string) $workers] : []),
        );
        $this->client = new Client("http://$address");
        $this->daemon->await(static fn(): bool => Daemon::listens("tcp://$address"));
    }

    public function runs(): string
    {
        return $this->folder->path . '/runs';
    }

    /** The process that answers, where there is one. */
    public function pid(): int
    {
        return $this->daemon->pid;
    }

    /** Ctrl-C, which a terminal sends to all processes. */
    public function stop(): void
    {
        foreach ($this->daemon->children() as $child) {
            posix_kill($child, SIGINT);
        }
        $this->daemon->stop(SIGINT);
    }

    /** The server's log. */
    public function log(): string
    {
        return $this->daemon->output();
    }

    /** PHP's log. */
    public function errors(): string
    {
        return (string) @file_get_contents($this->folder->path . '/php.log');
    }

    /** An address of the loopback interface on which no server listens. */
    public static function freeAddress(): string
    {
        $probe = stream_socket_server('tcp://127.0.0.1:0');
        if ($probe === false) {
            throw new ServerFailure('there is no free port');
        }
        $address = (string) stream_socket_get_name($probe, false);
        fclose($probe);

        return $address;
    }
}
