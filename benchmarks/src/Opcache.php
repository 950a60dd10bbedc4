<?php

declare(strict_types=1);

namespace XHProf\Bench;

/** The states of the opcode cache to measure in. */
final class Opcache
{
    public const OFF = 'off';
    public const ON = 'on';
    public const JIT = 'jit';
    public const STATES = [self::OFF, self::ON, self::JIT];

    /** @return list<string> INI settings */
    public static function settings(string $state): array
    {
        $on = [
            'zend_extension=opcache',
            'opcache.enable=1',
            'opcache.enable_cli=1',
            'opcache.memory_consumption=64',
            // Files just written are cached as well.
            'opcache.file_update_protection=0',
        ];

        return match ($state) {
            self::OFF => [],
            self::ON => [...$on, 'opcache.jit_buffer_size=0', 'opcache.jit=disable'],
            self::JIT => [...$on, 'opcache.jit_buffer_size=64M', 'opcache.jit=tracing'],
            default => throw new \LogicException("no state of opcache: $state"),
        };
    }

    public static function title(string $state): string
    {
        return match ($state) {
            self::OFF => 'opcache off',
            self::ON => 'opcache on, no JIT',
            default => 'opcache with the tracing JIT',
        };
    }
}
