<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/** A PostgreSQL server whose user root has no password. */
final class PostgreSql extends Database
{
    /** PostgreSQL refuses to run as root: then it is this user's. */
    private const USER = 'nobody';

    public static function missing(): ?string
    {
        foreach (['postgres', 'initdb'] as $name) {
            if (Programs::missingProgram($name) !== null) {
                return Programs::missingProgram($name);
            }
            if (posix_geteuid() !== 0) {
                continue;
            }
            // Its folders may be closed to other users.
            $process = new Daemon([...self::user(), Programs::program($name), '--version'], '/dev/null');
            if ($process->finish() !== 0) {
                return self::USER . ", as whom PostgreSQL runs when root starts it, cannot run $name of build/servers";
            }
        }

        return null;
    }

    public static function extensions(): array
    {
        return ['pdo_pgsql', 'pgsql'];
    }

    public static function variable(): string
    {
        return 'SHOP_POSTGRES';
    }

    /** PDO's name of the database. */
    public function address(): string
    {
        return "pgsql:host={$this->folder->path};dbname=postgres;user=root";
    }

    public function socket(): string
    {
        return "{$this->folder->path}/.s.PGSQL.5432";
    }

    protected function prepare(): void
    {
        if (posix_geteuid() === 0) {
            chown($this->folder->path, self::USER);
            chown("{$this->folder->path}/data", self::USER);
        }
        $this->finish([
            ...self::user(), Programs::program('initdb'), '-D', "{$this->folder->path}/data", '-U', 'root', '-A', 'trust',
            '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions', '--wal-segsize=1',
        ]);
    }

    protected function command(): array
    {
        $command = [...self::user(), Programs::program('postgres'), '-D', "{$this->folder->path}/data", '-k', $this->folder->path];
        $settings = [
            'listen_addresses=', 'fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'wal_level=minimal',
            'max_wal_senders=0', 'shared_buffers=16MB', 'max_connections=20', 'min_wal_size=2MB', 'max_wal_size=32MB',
            'autovacuum=off', 'jit=off',
        ];
        foreach ($settings as $setting) {
            array_push($command, '-c', $setting);
        }

        return [...$command, ...$this->options];
    }

    /** A client that greets it is asked for no password: "R". Before that it refuses: "E". */
    protected function answers(): bool
    {
        $greeting = pack('N', 196608) . "user\0root\0database\0postgres\0\0";

        return $this->ask(pack('N', strlen($greeting) + 4) . $greeting, 1) === 'R';
    }

    /** @return list<string> the command that makes a program its user's */
    private static function user(): array
    {
        return posix_geteuid() === 0 ? ['setpriv', '--reuid=' . self::USER, '--regid=nogroup', '--clear-groups'] : [];
    }
}
