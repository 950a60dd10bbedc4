<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * Functions that wait, and what for: those that ask another program for something, so that their number counts, and all others.
 * Runs without a record of their operations, of other tools or older, are judged by these names. The extension's own table has
 * them too (extension/base/operation_kind.c), and a test compares both, with their kinds.
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

    /** Classes all of whose methods ask a cache, but those that ask no server. */
    private const CACHES = '/\A(?:Redis(?:Cluster)?::(?!(?:setOption|getOption|_(?!_construct)\w+|isConnected|getHost|getPort'
        . '|getDbNum|getAuth|getMode|getTimeout|getReadTimeout|getPersistentID|__destruct|getLastError|clearLastError)\z)'
        . '|Redis(?:Array|Sentinel)::'
        . '|Memcached::(?!(?:setOptions?|getOption|addServers?|resetServerList|getServerList|getServerByKey|setBucket'
        . '|setEncodingKey|getResultCode|getResultMessage|getLastErrorCode|getLastErrorErrno|getLastErrorMessage'
        . '|getLastDisconnectedServer|isPersistent|isPristine|checkKey)\z)'
        . '|Memcache::(?!(?:addServer|setServerParams|setCompressThreshold|setFailureCallback|getServerStatus)\z))\w+\z/i';

    /** What those that count wait for. */
    private const COUNTED = [self::QUERY => TimePart::Sql, self::HTTP => TimePart::Http, self::CACHE => TimePart::Cache];

    /** Functions that wait and that the extension does not record as operations: they are called for each line. */
    private const UNRECORDED = ['fgets', 'fgetc', 'stream_get_line'];

    /** Others that wait for a disk, the network, another process or a moment, by what they wait for; lower case. */
    private const WAITING = [
        'sql' => [
            'pdo::__construct', 'pdo::connect', 'pdo::begintransaction', 'pdo::commit', 'pdo::rollback', 'mysqli::__construct',
            'mysqli::connect', 'mysqli::real_connect', 'mysqli::next_result', 'mysqli::prepare', 'mysqli::begin_transaction',
            'mysqli::commit', 'mysqli::rollback', 'mysqli_stmt::__construct', 'mysqli_stmt::prepare', 'mysqli_connect',
            'mysqli_real_connect', 'mysqli_next_result', 'mysqli_prepare', 'mysqli_begin_transaction', 'mysqli_commit',
            'mysqli_rollback', 'mysqli_stmt_prepare', 'pg_connect', 'pg_pconnect', 'pg_prepare', 'pg_send_prepare',
            'pg_get_result', 'pg_insert', 'pg_update', 'pg_delete', 'pg_select', 'pg_copy_from', 'pg_copy_to',
            'sqlite3::__construct', 'sqlite3::open', 'sqlite3::prepare', 'pdo::prepare', 'pdostatement::nextrowset',
            'mysqli::poll', 'mysqli::reap_async_query', 'mysqli::autocommit', 'mysqli::savepoint', 'mysqli::release_savepoint',
            'mysqli::change_user', 'mysqli::select_db', 'mysqli::ping', 'mysqli_poll', 'mysqli_reap_async_query',
            'mysqli_autocommit', 'mysqli_savepoint', 'mysqli_release_savepoint', 'mysqli_change_user', 'mysqli_select_db',
            'mysqli_ping', 'pg_meta_data', 'pg_convert', 'pg_ping', 'pg_connection_reset', 'pg_cancel_query',
        ],
        'http' => [
            'curl_multi_exec', 'curl_multi_select', 'get_headers',
        ],
        'socket' => [
            'fsockopen', 'pfsockopen', 'stream_socket_client', 'stream_socket_accept', 'stream_socket_enable_crypto',
            'stream_select', 'socket_connect', 'socket_accept', 'socket_read', 'socket_recv', 'socket_write', 'socket_send',
            'socket_select', 'gethostbyname', 'gethostbynamel', 'gethostbyaddr', 'dns_get_record', 'dns_check_record',
            'checkdnsrr',
        ],
        'file' => [
            'file_get_contents', 'file_put_contents', 'file', 'fopen', 'readfile', 'copy', 'rename', 'move_uploaded_file',
            'unlink', 'mkdir', 'rmdir', 'opendir', 'scandir', 'glob', 'touch', 'fread', 'fwrite', 'fputs', 'fpassthru',
            'fflush', 'fsync', 'fdatasync', 'stream_get_contents', 'stream_copy_to_stream',
            ...self::UNRECORDED,
        ],
        'process' => [
            'exec', 'shell_exec', 'system', 'passthru', 'popen', 'proc_open', 'proc_close', 'pclose', 'pcntl_wait',
            'pcntl_waitpid', 'msg_receive',
        ],
        'mail' => [
            'mail', 'mb_send_mail', 'imap_mail',
        ],
        'sleep' => [
            'sleep', 'usleep', 'time_nanosleep', 'time_sleep_until',
        ],
        'lock' => [
            'session_start', 'session_regenerate_id', 'session_write_close', 'session_commit', 'flock', 'sem_acquire',
        ],
    ];

    /** @var array<string, TimePart>|null WAITING by name */
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
        return self::waitsFor($name) !== null;
    }

    /**
     * What the function waits for: a kind of operation, by the names of the extension.
     *
     * @param string $name as of kind()
     */
    public static function waitsFor(string $name): ?TimePart
    {
        if (self::$waiting === null) {
            self::$waiting = [];
            foreach (self::WAITING as $kind => $names) {
                self::$waiting += array_fill_keys($names, TimePart::from($kind));
            }
        }
        $name = self::bare($name);
        $kind = self::kind($name);

        return self::$waiting[strtolower($name)]
            ?? ($kind === null ? (preg_match(self::CACHES, $name) === 1 ? TimePart::Cache : null) : self::COUNTED[$kind]);
    }

    /**
     * The kind of operation that the extension records of calls of the function, where it records operations.
     *
     * @param string $name as of kind()
     */
    public static function recordedAs(string $name): ?TimePart
    {
        return in_array(strtolower(self::bare($name)), self::UNRECORDED, true) ? null : self::waitsFor($name);
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
