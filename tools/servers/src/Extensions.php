<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/** PHP's extensions for the databases: those of this PHP, or those that tools/servers.sh has unpacked. */
final class Extensions
{
    /** By extension: what is loaded before it, where its build needs that. */
    private const BEFORE = [
        'mysqli' => ['mysqlnd'],
        'pdo_mysql' => ['mysqlnd'],
        'redis' => ['igbinary'],
        'memcached' => ['igbinary', 'msgpack'],
    ];

    /**
     * The settings with which a PHP, started with the environment of Programs::environment(), has these extensions.
     *
     * @param list<string> $names
     * @return list<string> as "extension=/path/name.so", without extensions that PHP loads itself
     */
    public static function settings(array $names): array
    {
        $settings = [];
        foreach ($names as $name) {
            foreach (extension_loaded($name) ? [] : [...self::BEFORE[$name] ?? [], $name] as $needed) {
                if (!extension_loaded($needed) && is_file(self::file($needed))) {
                    $settings[] = 'extension=' . self::file($needed);
                }
            }
        }

        return array_values(array_unique($settings));
    }

    /** The reason why PHP cannot load an extension here, or null. */
    public static function missing(string $name): ?string
    {
        return extension_loaded($name) || is_file(self::file($name))
            ? null
            : "no extension $name for this PHP in build/servers (tools/servers.sh fetches Debian's)";
    }

    private static function file(string $name): string
    {
        return Programs::folder() . "/extensions/$name.so";
    }
}
