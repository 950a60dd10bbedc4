<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/** Apache with PHP as its module and prefork workers, in a temporary folder, on a free port of the loopback interface. */
final class Apache
{
    /** Apache's workers never run as root. */
    private const USER = 'www-data';

    public readonly Folder $folder;
    public readonly Client $client;
    private readonly Daemon $daemon;

    /**
     * @param list<string> $settings of php.ini, as "name=value"; {folder} is the temporary one
     * @param int $workers processes of PHP
     * @param int $connections that a worker serves before it ends; 0: all
     */
    public function __construct(array $settings, public readonly int $workers = 2, int $connections = 0)
    {
        $this->folder = new Folder();
        $path = $this->folder->path;
        Site::prepare($this->folder);
        file_put_contents("$path/php.ini", Site::ini($this->folder, $settings));
        $address = DevServer::freeAddress();
        file_put_contents("$path/apache.conf", $this->settings($address, $connections));
        if (self::isRoot()) {
            exec(sprintf('chown -R %s %s', self::USER, escapeshellarg($path)));
        }
        // When Apache ends it signals its process group.
        $this->daemon = new Daemon(
            ['setsid', Programs::program('apache2'), '-D', 'FOREGROUND', '-d', $path, '-f', "$path/apache.conf"],
            "$path/apache.out",
        );
        // It listens before it has workers. One connection is all that this uses up of what a worker serves.
        $this->daemon->await(fn(): bool => count($this->workers()) >= $this->workers && Daemon::listens("tcp://$address"));
        $this->client = new Client("http://$address");
    }

    public function runs(): string
    {
        return $this->folder->path . '/runs';
    }

    /** The process that starts the others. */
    public function pid(): int
    {
        return $this->daemon->pid;
    }

    /** @return list<int> the processes that serve, in order */
    public function workers(): array
    {
        return $this->daemon->children();
    }

    /** Lets running requests finish, reads the settings again, and starts new workers. */
    public function reload(): void
    {
        $this->daemon->signal(SIGUSR1);
    }

    /** Stops it after the running requests. */
    public function stop(): void
    {
        $this->daemon->stop(SIGWINCH);
    }

    /** Apache's log, about its workers among others. */
    public function log(): string
    {
        return (string) @file_get_contents($this->folder->path . '/apache.log');
    }

    /** PHP's log. */
    public function errors(): string
    {
        return (string) @file_get_contents($this->folder->path . '/php.log');
    }

    private static function isRoot(): bool
    {
        return posix_geteuid() === 0;
    }

    private function settings(string $address, int $connections): string
    {
        $path = $this->folder->path;
        $modules = Programs::apacheModules();
        $load = '';
        foreach (['mpm_prefork', 'authz_core', 'alias'] as $name) {
            $load .= "LoadModule {$name}_module $modules/mod_$name.so\n";
        }
        $php = (glob("$modules/libphp*.so") ?: [''])[0];
        $user = self::isRoot() ? 'User ' . self::USER . "\nGroup " . self::USER : '';
        $script = Site::script();

        return <<<TEXT
            $load
            LoadModule php_module $php
            ServerName shop.test
            Listen $address
            PidFile $path/apache.pid
            Mutex file:$path default
            ErrorLog $path/apache.log
            LogLevel warn
            $user
            PHPIniDir $path
            StartServers $this->workers
            MinSpareServers $this->workers
            MaxSpareServers $this->workers
            ServerLimit $this->workers
            MaxRequestWorkers $this->workers
            MaxConnectionsPerChild $connections
            MaxKeepAliveRequests 5
            GracefulShutdownTimeout 15
            DocumentRoot $path/data
            AliasMatch "^/.*$" "$script"
            <Directory />
            Require all granted
            AllowOverride None
            SetHandler application/x-httpd-php
            AcceptPathInfo On
            </Directory>

            TEXT;
    }
}
