<?php

declare(strict_types=1);

namespace Shop;

/** The databases: SQLite always, MariaDB and PostgreSQL where the environment names them. */
final class Connections
{
    private const VARIABLES = ['mysql' => 'SHOP_MYSQL', 'postgres' => 'SHOP_POSTGRES'];

    /** @var array<string, \PDO> */
    private array $open = [];

    /** @param string $file of SQLite */
    public function __construct(private readonly string $file)
    {
    }

    /** @return list<string> those that there are: "sqlite", "mysql", "postgres" */
    public static function names(): array
    {
        $named = array_filter(self::VARIABLES, static fn(string $variable): bool => (string) getenv($variable) !== '');

        return ['sqlite', ...array_keys(array_filter($named, self::isLoaded(...), ARRAY_FILTER_USE_KEY))];
    }

    /** The first of these that there is; SQLite always is. */
    public function first(string ...$names): \PDO
    {
        return $this->open(array_values(array_intersect($names, self::names()))[0] ?? 'sqlite');
    }

    public function open(string $name): \PDO
    {
        $dsn = isset(self::VARIABLES[$name]) ? (string) getenv(self::VARIABLES[$name]) : "sqlite:$this->file";

        return $this->open[$name] ??= new \PDO($dsn, $name === 'mysql' ? 'root' : null, options: [
            \PDO::ATTR_ERRMODE => \PDO::ERRMODE_EXCEPTION,
            \PDO::ATTR_DEFAULT_FETCH_MODE => \PDO::FETCH_ASSOC,
            \PDO::ATTR_TIMEOUT => 30,
        ]);
    }

    private static function isLoaded(string $name): bool
    {
        return extension_loaded($name === 'mysql' ? 'pdo_mysql' : 'pdo_pgsql');
    }
}
