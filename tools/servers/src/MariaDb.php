<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/** A MariaDB server with an empty database `shop`. Its user root has no password. */
final class MariaDb extends Database
{
    public static function missing(): ?string
    {
        return Programs::missingProgram('mariadbd') ?? (self::tables() === null ? 'no SQL of MariaDB for its own tables' : null);
    }

    public static function extensions(): array
    {
        return ['pdo_mysql', 'mysqli'];
    }

    public static function variable(): string
    {
        return 'SHOP_MYSQL';
    }

    /** PDO's name of the database; the user is root. */
    public function address(): string
    {
        return "mysql:unix_socket={$this->socket()};dbname=shop;charset=utf8mb4";
    }

    public function socket(): string
    {
        return "{$this->folder->path}/mariadb.sock";
    }

    /** What mariadb-install-db does, without its tables of help and time zones. */
    protected function prepare(): void
    {
        $input = "{$this->folder->path}/tables.sql";
        file_put_contents($input, "CREATE DATABASE mysql;\nCREATE DATABASE shop CHARACTER SET utf8mb4;\nUSE mysql;\n"
            . "SET @skip_auth_anonymous = 1, @auth_root_socket = NULL;\n");
        foreach (self::tables() ?? [] as $file) {
            file_put_contents($input, "\n" . file_get_contents($file), FILE_APPEND);
        }
        $this->finish([...$this->program(), '--bootstrap', '--log-warnings=0', '--enforce-storage-engine='], $input);
    }

    protected function command(): array
    {
        return [
            ...$this->program(), '--socket=' . $this->socket(), "--pid-file={$this->folder->path}/mariadb.pid", '--skip-networking',
            ...$this->options,
        ];
    }

    /** Its greeting has the version, or says that there are too many connections. */
    protected function answers(): bool
    {
        return strlen($this->ask('', 64)) > 4;
    }

    /** @return list<string> with all that makes its files small and its start quick */
    private function program(): array
    {
        $path = $this->folder->path;

        return [
            Programs::program('mariadbd'), '--no-defaults', ...(posix_geteuid() === 0 ? ['--user=root'] : []),
            "--datadir=$path/data", "--tmpdir=$path/uploads", '--lc-messages-dir=' . dirname((self::tables() ?? [''])[0]),
            '--innodb-log-file-size=4M', '--innodb-buffer-pool-size=16M', '--innodb-data-file-path=ibdata1:4M:autoextend',
            '--innodb-autoextend-increment=1', '--innodb-buffer-pool-load-at-startup=0', '--innodb-buffer-pool-dump-at-shutdown=0',
            '--innodb-temp-data-file-path=ibtmp1:2M:autoextend', '--innodb-flush-log-at-trx-commit=0', '--innodb-fast-shutdown=2',
            '--innodb-flush-method=nosync', '--innodb-doublewrite=0', '--innodb-undo-tablespaces=0',
            '--aria-log-file-size=8M', '--aria-pagecache-buffer-size=8M', '--key-buffer-size=1M', '--performance-schema=0',
            '--skip-log-bin', '--max-connections=50', '--table-open-cache=200', '--skip-name-resolve',
        ];
    }

    /** @return list<string>|null the files that make its own tables */
    private static function tables(): ?array
    {
        // Names before and since MariaDB 11.
        $program = (string) realpath(Programs::program('mariadbd'));
        foreach (['mysql/mysql', 'mariadb/mariadb', 'mysql/mariadb', 'mariadb/mysql'] as $place) {
            $file = dirname($program, 2) . "/share/{$place}_system_tables";
            if (is_file("$file.sql") && is_file("{$file}_data.sql")) {
                return ["$file.sql", "{$file}_data.sql"];
            }
        }

        return null;
    }
}
