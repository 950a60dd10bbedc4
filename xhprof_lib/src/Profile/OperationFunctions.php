<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * Functions that wait: those that ask another program for something, so that their number counts, and all others. Runs without a
 * record of their operations, of other tools or older, are judged by these names. The extension's own table has them too
 * (extension/base/operation_kind.c), and a test compares both.
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
        self::HTTP => '/\A(?:curl_exec|curl_multi_add_handle|SoapClient::__doRequest)\z/i',
        self::CACHE => '/\A(?:Redis|RedisCluster|Memcached|Memcache)::(?:m?[gs]et(?:ex|nx|Multi|MultiByKey|ByKey)?|del(?:ete)?'
            . '|h(?:get|set|mget|getall)|incr(?:By|ement)?|decr(?:By|ement)?|exists|expire|rawCommand'
            . '|l(?:push|pop|range)|s(?:add|members)|eval)\z/i',
    ];

    /** Others that wait for a disk, the network, another process or a moment; lower case. */
    private const WAITING = [
        // databases
        'pdo::__construct', 'pdo::connect', 'pdo::begintransaction', 'pdo::commit', 'pdo::rollback', 'mysqli::__construct',
        'mysqli::connect', 'mysqli::real_connect', 'mysqli::next_result', 'mysqli::prepare', 'mysqli::begin_transaction',
        'mysqli::commit', 'mysqli::rollback', 'mysqli_stmt::__construct', 'mysqli_stmt::prepare', 'mysqli_connect',
        'mysqli_real_connect', 'mysqli_next_result', 'mysqli_prepare', 'mysqli_begin_transaction', 'mysqli_commit',
        'mysqli_rollback', 'mysqli_stmt_prepare', 'pg_connect', 'pg_pconnect', 'pg_prepare', 'pg_send_prepare', 'pg_get_result',
        'pg_insert', 'pg_update', 'pg_delete', 'pg_select', 'pg_copy_from', 'pg_copy_to', 'sqlite3::__construct', 'sqlite3::open',
        'sqlite3::prepare',
        'pdo::prepare', 'pdostatement::nextrowset', 'mysqli::poll', 'mysqli::reap_async_query', 'mysqli::autocommit',
        'mysqli::savepoint', 'mysqli::release_savepoint', 'mysqli::change_user', 'mysqli::select_db', 'mysqli::ping',
        'mysqli_poll', 'mysqli_reap_async_query', 'mysqli_autocommit', 'mysqli_savepoint', 'mysqli_release_savepoint',
        'mysqli_change_user', 'mysqli_select_db', 'mysqli_ping', 'pg_meta_data', 'pg_convert', 'pg_ping',
        'pg_connection_reset', 'pg_cancel_query',
        // HTTP
        'curl_multi_exec', 'curl_multi_select', 'get_headers',
        // caches
        'redis::__construct', 'redis::auth', 'redis::connect', 'redis::pconnect', 'redis::eval_ro', 'redis::echo', 'redis::ping',
        'rediscluster::__construct', 'rediscluster::eval_ro', 'rediscluster::echo', 'rediscluster::ping',
        'memcached::__construct', 'memcached::setsaslauthdata',
        'redis::open', 'redis::popen', 'redis::evalsha', 'redis::evalsha_ro', 'redis::evaluate', 'redis::evaluatesha',
        'redis::sendecho', 'rediscluster::evalsha', 'rediscluster::evalsha_ro', 'memcached::cas', 'memcached::casbykey',
        'memcached::getdelayedbykey', 'memcached::touchbykey', 'memcached::addbykey', 'memcached::appendbykey',
        'memcached::prependbykey', 'memcached::replacebykey', 'memcached::deletebykey', 'memcached::deletemultibykey',
        'memcached::incrementbykey', 'memcached::decrementbykey',
        // sockets and names of hosts
        'fsockopen', 'pfsockopen', 'stream_socket_client', 'stream_socket_accept', 'stream_socket_enable_crypto', 'stream_select',
        'socket_connect', 'socket_accept', 'socket_read', 'socket_recv', 'socket_write', 'socket_send', 'socket_select',
        'gethostbyname', 'gethostbynamel', 'gethostbyaddr', 'dns_get_record', 'dns_check_record', 'checkdnsrr',
        // files
        'file_get_contents', 'file_put_contents', 'file', 'fopen', 'readfile', 'copy', 'rename', 'move_uploaded_file', 'unlink',
        'mkdir', 'rmdir', 'opendir', 'scandir', 'glob', 'touch', 'fread', 'fwrite', 'fputs', 'fpassthru', 'fflush', 'fsync',
        'fdatasync', 'stream_get_contents', 'stream_copy_to_stream',
        // other programs
        'exec', 'shell_exec', 'system', 'passthru', 'popen', 'proc_open', 'proc_close', 'pclose', 'pcntl_wait', 'pcntl_waitpid',
        // mail
        'mail', 'mb_send_mail', 'imap_mail',
        // a moment
        'sleep', 'usleep', 'time_nanosleep', 'time_sleep_until',
        // locks
        'session_start', 'session_regenerate_id', 'session_write_close', 'session_commit', 'flock', 'sem_acquire',
        // which the extension does not record: they are called for each line, or seldom
        'fgets', 'fgetc', 'stream_get_line', 'msg_receive',
    ];

    /** @var array<string, int>|null WAITING as keys */
    private static ?array $waiting = null;

    /** What such a function is called in the plural. */
    private const PLURAL = [self::QUERY => 'queries', self::HTTP => 'HTTP requests', self::CACHE => 'cache commands'];

    /**
     * @param string $name may end in a level of recursion, "@1", or in "#" and its arguments
     *
     * @return key-of<self::KINDS>|null null for any other function
     */
    public static function kind(string $name): ?string
    {
        $name = self::bare($name);
        foreach (self::KINDS as $kind => $pattern) {
            if (preg_match($pattern, $name) === 1) {
                return $kind;
            }
        }

        return null;
    }

    /**
     * Whether the function waits for a disk, the network, another process or a moment.
     *
     * @param string $name as of kind()
     */
    public static function waits(string $name): bool
    {
        self::$waiting ??= array_flip(self::WAITING);

        return isset(self::$waiting[strtolower(self::bare($name))]) || self::kind($name) !== null;
    }

    /**
     * Whether the function only begins what it asks for: several run at once, so that a loop of it is no loop of waiting.
     *
     * @param string $name as of kind()
     */
    public static function onlyBegins(string $name): bool
    {
        return strcasecmp(self::bare($name), 'curl_multi_add_handle') === 0;
    }

    private static function bare(string $name): string
    {
        return preg_replace('/(?:#.*|@[0-9]+)\z/s', '', $name) ?? $name;
    }

    /** @param key-of<self::KINDS> $kind */
    public static function plural(string $kind): string
    {
        return self::PLURAL[$kind];
    }
}
