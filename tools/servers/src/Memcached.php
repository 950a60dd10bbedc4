<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/** A Memcached server. */
final class Memcached extends Database
{
    public static function missing(): ?string
    {
        return Programs::missingProgram('memcached');
    }

    public static function extensions(): array
    {
        return ['memcached'];
    }

    public static function variable(): string
    {
        return 'SHOP_MEMCACHED';
    }

    public function address(): string
    {
        return $this->socket();
    }

    public function socket(): string
    {
        return "{$this->folder->path}/memcached.sock";
    }

    protected function command(): array
    {
        $user = posix_geteuid() === 0 ? ['-u', 'root'] : [];

        return [
            Programs::program('memcached'), ...$user, '-s', $this->socket(), '-a', '0700', '-m', '16', '-t', '1',
            ...$this->options,
        ];
    }

    protected function answers(): bool
    {
        return str_starts_with($this->ask("version\r\n", 7), 'VERSION');
    }
}
