<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/** Paths of the servers, which tools/servers.sh provides. */
final class Programs
{
    private const ROOT = __DIR__ . '/../../..';

    /** The folder of Apache's modules, with PHP's. */
    public static function apacheModules(): string
    {
        return self::folder() . '/apache2-modules';
    }

    /** A program by its name in build/servers. */
    public static function program(string $name): string
    {
        return self::folder() . "/$name";
    }

    /** The reason why a program cannot be started here, or null. */
    public static function missingProgram(string $name): ?string
    {
        return is_executable(self::program($name)) ? null : "no $name in build/servers (tools/servers.sh fetches Debian's)";
    }

    /** The extension that the servers load. */
    public static function extension(): string
    {
        return getenv('XHPROF_SO') ?: realpath(self::ROOT) . '/extension/modules/xhprof.so';
    }

    /** The reason why nginx with PHP-FPM cannot be started here, or null. */
    public static function missing(): ?string
    {
        return self::missingProgram('nginx') ?? self::missingProgram('php-fpm')
            ?? (extension_loaded('curl') ? null : 'this PHP has no curl');
    }

    /** The reason why Apache with PHP cannot be started here, or null. */
    public static function missingApache(): ?string
    {
        if (self::missingProgram('apache2') !== null || !is_dir(self::apacheModules())) {
            return "no apache2 with PHP's module in build/servers (tools/servers.sh fetches Debian's)";
        }
        if (posix_geteuid() === 0 && posix_getpwnam('www-data') === false) {
            return 'there is no user www-data, whom Apache needs when root starts it';
        }

        return extension_loaded('curl') ? null : 'this PHP has no curl';
    }

    /** @return array<string, string> the environment of all servers */
    public static function environment(): array
    {
        $environment = getenv();
        unset($environment['XHPROF_OUTPUT_DIR'], $environment['XHPROF_TRIGGER'], $environment['LD_PRELOAD']);
        $libraries = trim((string) @file_get_contents(self::folder() . '/libraries'));
        // Uses the settings of the command line's PHP: PHP-FPM has a folder of its own only where it is installed.
        return [
            'PHP_INI_SCAN_DIR' => getenv('PHP_INI_SCAN_DIR') ?: PHP_CONFIG_FILE_SCAN_DIR,
            'XDEBUG_MODE' => 'off',
        ] + ($libraries === '' ? [] : ['LD_LIBRARY_PATH' => $libraries]) + $environment;
    }

    /** What tools/servers.sh fills. */
    public static function folder(): string
    {
        return realpath(self::ROOT) . '/build/servers';
    }
}
