<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** Whether the PHP that runs this has opcache, and the INI settings of its JIT. */
final class Opcache
{
    public static function available(): bool
    {
        return self::isModule() || extension_loaded('Zend OPcache');
    }

    /** @return list<string> INI settings, for a PHP without php.ini */
    public static function jit(): array
    {
        return [
            ...(self::isModule() ? ['zend_extension=opcache'] : []),
            'opcache.enable=1', 'opcache.enable_cli=1', 'opcache.jit_buffer_size=64M', 'opcache.jit=tracing',
        ];
    }

    /** Before 8.5 it is a module; since then it is part of PHP. */
    private static function isModule(): bool
    {
        return is_file(PHP_EXTENSION_DIR . '/opcache.so');
    }
}
