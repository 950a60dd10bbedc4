<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/** A Redis server that saves nothing. */
final class Redis extends Database
{
    public static function missing(): ?string
    {
        return Programs::missingProgram('redis-server');
    }

    public static function extensions(): array
    {
        return ['redis'];
    }

    public static function variable(): string
    {
        return 'SHOP_REDIS';
    }

    public function address(): string
    {
        return $this->socket();
    }

    public function socket(): string
    {
        return "{$this->folder->path}/redis.sock";
    }

    protected function command(): array
    {
        return [
            Programs::program('redis-server'), '--port', '0', '--unixsocket', $this->socket(), '--unixsocketperm', '700',
            '--dir', "{$this->folder->path}/data", '--save', '', '--appendonly', 'no', ...$this->options,
        ];
    }

    protected function answers(): bool
    {
        return preg_match('/^(\+PONG|-NOAUTH)/', $this->ask("PING\r\n", 7)) === 1;
    }
}
