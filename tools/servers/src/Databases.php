<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/**
 * All databases that can be had here, each empty, for a program in PHP. They stop with this object.
 *
 *     $databases = new Databases();
 *     $php = [PHP_BINARY, ...$databases->options(), 'shop.php'];
 *     proc_open($php, [], $pipes, null, $databases->environment());
 *
 * The program finds them by its environment: SHOP_MYSQL and SHOP_POSTGRES are names for `new PDO()`, the first one's user is root,
 * and neither has a password; SHOP_REDIS and SHOP_MEMCACHED are paths of sockets. A variable without its server does not exist.
 */
final class Databases
{
    private const ALL = [MariaDb::class, PostgreSql::class, Redis::class, Memcached::class];

    /** @var list<Database> those that were started */
    public readonly array $started;

    public function __construct()
    {
        $started = [];
        foreach (self::ALL as $class) {
            if (self::reason($class) === null) {
                $started[] = new $class();
            }
        }
        $this->started = $started;
    }

    /** @return array<string, string> by variable of those that cannot be had here: the reason */
    public static function missing(): array
    {
        $reasons = [];
        foreach (self::ALL as $class) {
            $reasons[$class::variable()] = self::reason($class);
        }

        return array_filter($reasons, is_string(...));
    }

    /** @return array<string, string> the environment of a program: SHOP_*, LD_LIBRARY_PATH and that of all servers */
    public function environment(): array
    {
        return $this->variables() + Programs::environment();
    }

    /** @return array<string, string> only where the databases are: SHOP_* */
    public function variables(): array
    {
        $variables = [];
        foreach ($this->started as $database) {
            $variables[$database::variable()] = $database->address();
        }

        return $variables;
    }

    /** @return list<string> settings of php.ini that load the extensions, as "extension=/path/name.so" */
    public function settings(): array
    {
        $extensions = array_map(static fn(Database $database): array => $database::extensions(), $this->started);

        return Extensions::settings(array_merge(...$extensions));
    }

    /** @return list<string> the same for the command line: "-d", "extension=/path/name.so" ... */
    public function options(): array
    {
        return array_merge(...array_map(static fn(string $setting): array => ['-d', $setting], $this->settings()));
    }

    /**
     * The server and all its extensions.
     *
     * @param class-string<Database> $class
     */
    private static function reason(string $class): ?string
    {
        foreach ($class::extensions() as $extension) {
            if (Extensions::missing($extension) !== null) {
                return Extensions::missing($extension);
            }
        }

        return $class::missing();
    }
}
