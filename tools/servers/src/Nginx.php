<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/** An nginx on a socket in a folder, for as long as this object lives. */
final class Nginx
{
    public readonly Client $client;
    private readonly Daemon $daemon;

    /**
     * @param string $path of the folder, for all its files
     * @param string $http settings of the http block
     * @param string $server settings of its only server
     */
    public function __construct(private readonly string $path, string $http, string $server)
    {
        file_put_contents("$path/nginx.conf", self::settings($path, $http, $server));
        $command = [Programs::program('nginx'), '-p', $path, '-e', "$path/nginx.log", '-c', "$path/nginx.conf"];
        $this->daemon = new Daemon($command, "$path/nginx.out");
        $this->daemon->await(static fn(): bool => Daemon::listens("unix://$path/nginx.sock"));
        $this->client = new Client('http://shop.test', "$path/nginx.sock");
    }

    /** Stops it after the running requests. */
    public function stop(): void
    {
        $this->daemon->stop(SIGQUIT);
    }

    /** Its log of errors. */
    public function errors(): string
    {
        return (string) @file_get_contents("$this->path/nginx.log");
    }

    private static function settings(string $path, string $http, string $server): string
    {
        // Without root the workers belong to the user who starts it.
        $user = posix_geteuid() === 0 ? 'user root root;' : '';
        $temporary = '';
        foreach (['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'] as $kind) {
            $temporary .= "{$kind}_temp_path $path/nginx-$kind;\n";
        }

        return <<<TEXT
            $user
            worker_processes 1;
            daemon off;
            pid $path/nginx.pid;
            error_log $path/nginx.log warn;
            events { worker_connections 256; }
            http {
            $temporary
            $http
            server {
            listen unix:$path/nginx.sock;
            $server
            }
            }

            TEXT;
    }
}
