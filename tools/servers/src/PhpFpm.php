<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/** PHP-FPM behind an nginx, in a temporary folder: independent of the system's servers; any user may start it. */
final class PhpFpm
{
    public readonly Folder $folder;
    public readonly Client $client;
    private Daemon $fpm;
    private Nginx $nginx;

    /**
     * @param list<string> $settings of php.ini, as "name=value"; {folder} is the temporary one
     * @param int $workers processes of PHP
     * @param array<string, string> $environment of PHP-FPM
     * @param string|null $script that answers all requests; null: the small shop
     * @param list<string> $prefix a command that runs PHP-FPM
     * @param string $more settings of the pool, a line each
     * @param int $patience process_control_timeout, seconds; 0: PHP-FPM's own, with which a reload ends workers at once
     * @param array<string, string> $parameters of nginx to PHP-FPM, besides the usual ones
     * @param bool $logs whether nginx logs all requests: see requests()
     */
    public function __construct(
        array $settings,
        public readonly int $workers = 2,
        array $environment = [],
        private readonly ?string $script = null,
        array $prefix = [],
        private readonly string $more = '',
        private readonly int $patience = 15,
        private readonly array $parameters = [],
        private readonly bool $logs = false,
    ) {
        $this->folder = new Folder();
        $path = $this->folder->path;
        Site::prepare($this->folder);
        file_put_contents("$path/php.ini", Site::ini($this->folder, $settings));
        file_put_contents("$path/fpm.conf", $this->fpmSettings());
        $command = [...$prefix, Programs::program('php-fpm'), '--nodaemonize', '-c', "$path/php.ini", '-y', "$path/fpm.conf"];
        if (posix_geteuid() === 0) {
            $command[] = '-R';
        }
        $this->fpm = new Daemon($command, "$path/fpm.out", $environment);
        // It listens before it has all workers.
        $this->fpm->await(fn(): bool => Daemon::listens("unix://$path/fpm.sock") && count($this->workers()) >= $this->workers);
        $this->nginx = new Nginx($path, ...$this->nginxSettings());
        $this->client = $this->nginx->client;
    }

    public function runs(): string
    {
        return $this->folder->path . '/runs';
    }

    /** @return list<int> the processes that serve, in order */
    public function workers(): array
    {
        return $this->fpm->children();
    }

    /**
     * Waits until there are all workers: those that ended have a successor.
     *
     * @param list<int> $gone none of them is one of these
     */
    public function awaitWorkers(array $gone = []): void
    {
        $this->fpm->await(function () use ($gone): bool {
            $workers = $this->workers();

            return count($workers) === $this->workers && array_intersect($gone, $workers) === [];
        }, "PHP-FPM does not replace its workers");
    }

    /**
     * Memory of the workers that is not that of a file (RssAnon).
     *
     * @return array<int, int> kB by worker, in order; without those that have ended meanwhile
     */
    public function memory(): array
    {
        $memory = [];
        foreach ($this->workers() as $pid) {
            $kilobytes = self::ownMemory((string) @file_get_contents("/proc/$pid/status"));
            if ($kilobytes !== null) {
                $memory[$pid] = $kilobytes;
            }
        }

        return $memory;
    }

    /**
     * @param string $status a process's file of that name in /proc, "" if it is gone
     * @return int|null kB; null: the process has ended
     */
    public static function ownMemory(string $status): ?int
    {
        // A process that ends has no memory before it is gone, and its file no line about it.
        if (preg_match('/^VmSize:/m', $status) !== 1) {
            return null;
        }
        if (preg_match('/^RssAnon:\s*(\d+) kB$/m', $status, $match) !== 1) {
            throw new ServerFailure("this system's /proc has no RssAnon");
        }

        return (int) $match[1];
    }

    /** Lets running requests finish, and starts new workers. */
    public function reload(): void
    {
        $this->fpm->signal(SIGUSR2);
    }

    /** Stops PHP-FPM the way systemd does by default. */
    public function terminate(): void
    {
        $this->fpm->stop(SIGTERM);
    }

    /** Ends PHP-FPM after the running requests have been answered; nginx stays. */
    public function stopFpm(): void
    {
        $this->fpm->stop(SIGQUIT);
    }

    public function stop(): void
    {
        $this->stopFpm();
        $this->nginx->stop();
    }

    /** PHP-FPM's own log, about its workers among others. */
    public function log(): string
    {
        return (string) @file_get_contents($this->folder->path . '/fpm.log');
    }

    /** PHP's log. */
    public function errors(): string
    {
        return (string) @file_get_contents($this->folder->path . '/php.log');
    }

    /** nginx's log. */
    public function nginxErrors(): string
    {
        return $this->nginx->errors();
    }

    /**
     * All requests that nginx has ended, where it logs them; complete when it is stopped.
     *
     * @return iterable<array{int, string, string}> status, method and path with query
     */
    public function requests(): iterable
    {
        $file = @fopen($this->folder->path . '/access.log', 'r') ?: throw new ServerFailure('nginx has no log of requests');
        while (($line = fgets($file)) !== false) {
            [$status, $method, $path] = explode("\t", rtrim($line, "\n"), 3) + ['', '', ''];
            yield [(int) $status, $method, $path];
        }
        fclose($file);
    }

    private function fpmSettings(): string
    {
        // Without root the workers belong to the user who starts it.
        $user = posix_geteuid() === 0 ? 'user = root' : '';

        return <<<TEXT
            [global]
            pid = {$this->folder->path}/fpm.pid
            error_log = {$this->folder->path}/fpm.log
            process_control_timeout = {$this->patience}s
            [shop]
            $user
            listen = {$this->folder->path}/fpm.sock
            listen.backlog = 128
            pm = static
            pm.max_children = $this->workers
            pm.status_path = /fpm-status
            ping.path = /fpm-ping
            clear_env = no
            $this->more

            TEXT;
    }

    /** @return array{string, string} of its http block and its server */
    private function nginxSettings(): array
    {
        $path = $this->folder->path;
        $parameters = '';
        $all = ['QUERY_STRING' => '$query_string', 'REQUEST_METHOD' => '$request_method', 'CONTENT_TYPE' => '$content_type',
            'CONTENT_LENGTH' => '$content_length', 'REQUEST_URI' => '$request_uri', 'DOCUMENT_URI' => '$document_uri',
            'SERVER_PROTOCOL' => '$server_protocol', 'REQUEST_SCHEME' => '$scheme', 'GATEWAY_INTERFACE' => 'CGI/1.1',
            'HTTP_HOST' => '$host', 'SERVER_NAME' => '$host', 'SCRIPT_FILENAME' => '$script', 'SCRIPT_NAME' => '$script_name'];
        foreach ($all + $this->parameters as $name => $value) {
            $parameters .= "fastcgi_param $name $value;\n";
        }
        $script = $this->script ?? Site::script();
        $format = "log_format requests '\$status\t\$request_method\t\$request_uri'";
        $log = $this->logs ? "$format;\naccess_log $path/access.log requests;" : 'access_log off;';

        return [
            <<<TEXT
                $log
                keepalive_requests 100000;
                map \$uri \$script { default "$script"; ~^/fpm- \$uri; }
                map \$uri \$script_name { default /index.php; ~^/fpm- \$uri; }
                TEXT,
            <<<TEXT
                fastcgi_buffering off;
                $parameters
                location / { fastcgi_pass unix:$path/fpm.sock; }
                TEXT,
        ];
    }
}
