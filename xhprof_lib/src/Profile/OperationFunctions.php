<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * Functions that ask another program for something: each call waits for an answer, so their number counts. Runs without a record
 * of their operations, of other tools or older, are judged by these names; the extension's own table has them too.
 */
final class OperationFunctions
{
    public const QUERY = 'query';
    public const HTTP = 'HTTP request';
    public const CACHE = 'cache command';

    /** Names of functions, and of classes all of whose methods of these names count. */
    private const KINDS = [
        self::QUERY => '/\A(?:PDO::(?:query|exec)|PDOStatement::execute|mysqli::(?:query|real_query|multi_query|execute_query)'
            . '|mysqli_(?:query|real_query|multi_query|execute_query|stmt_execute|execute)|mysqli_stmt::execute'
            . '|pg_(?:query|exec|execute|query_params|send_query|send_query_params|send_execute)'
            . '|SQLite3::(?:query|exec|querySingle)|SQLite3Stmt::execute'
            . '|oci_execute|sqlsrv_(?:query|execute)|odbc_(?:exec|execute|do)'
            . '|MongoDB\\\\Driver\\\\(?:Manager|Server)::execute[A-Za-z]*)\z/i',
        self::HTTP => '/\A(?:curl_exec|SoapClient::__doRequest)\z/i',
        self::CACHE => '/\A(?:Redis|RedisCluster|Memcached|Memcache)::(?:m?[gs]et(?:ex|nx|Multi|MultiByKey|ByKey)?|del(?:ete)?'
            . '|h(?:get|set|mget|getall)|incr(?:By|ement)?|decr(?:By|ement)?|exists|expire|rawCommand'
            . '|l(?:push|pop|range)|s(?:add|members)|eval)\z/i',
    ];

    /** What such a function is called in the plural. */
    private const PLURAL = [self::QUERY => 'queries', self::HTTP => 'HTTP requests', self::CACHE => 'cache commands'];

    /**
     * @param string $name may end in a level of recursion, "@1", or in "#" and its arguments
     *
     * @return key-of<self::KINDS>|null null for any other function
     */
    public static function kind(string $name): ?string
    {
        $name = preg_replace('/(?:#.*|@[0-9]+)\z/s', '', $name) ?? $name;
        foreach (self::KINDS as $kind => $pattern) {
            if (preg_match($pattern, $name) === 1) {
                return $kind;
            }
        }

        return null;
    }

    /** @param key-of<self::KINDS> $kind */
    public static function plural(string $kind): string
    {
        return self::PLURAL[$kind];
    }
}
