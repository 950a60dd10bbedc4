#include "operation_kind.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define SQL XHPROF_OPERATION_SQL
#define CACHE XHPROF_OPERATION_CACHE
#define MYSQL XHPROF_SQL_MYSQL
#define SQLITE XHPROF_SQL_SQLITE
#define POSTGRES XHPROF_SQL_STANDARD
#define UNKNOWN XHPROF_SQL_UNKNOWN

/* Functions that are operations. Those that are called for each line or row of what was read before, such as fgets()
 * and PDOStatement::fetch(), are left out. */
static const xhprof_operation_function functions[] = {
	/* clang-format off */
	{"pdo", "__construct", SQL, XHPROF_TEXT_NAME, 0, 0, UNKNOWN},
	{"pdo", "connect", SQL, XHPROF_TEXT_NAME, 0, 0, UNKNOWN},
	{"pdo", "exec", SQL, XHPROF_TEXT_SQL, 1, 0, UNKNOWN},
	{"pdo", "query", SQL, XHPROF_TEXT_SQL, 1, 0, UNKNOWN},
	{"pdo", "prepare", SQL, XHPROF_TEXT_MAY_ASK, 1, 0, UNKNOWN},
	{"pdo", "begintransaction", SQL, XHPROF_TEXT_NAME, 0, 0, UNKNOWN},
	{"pdo", "commit", SQL, XHPROF_TEXT_NAME, 0, 0, UNKNOWN},
	{"pdo", "rollback", SQL, XHPROF_TEXT_NAME, 0, 0, UNKNOWN},
	{"pdostatement", "execute", SQL, XHPROF_TEXT_STATEMENT, 0, 0, UNKNOWN},
	{"pdostatement", "nextrowset", SQL, XHPROF_TEXT_NAME, 0, 0, UNKNOWN},
	{"mysqli", "__construct", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{"mysqli", "connect", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{"mysqli", "real_connect", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{"mysqli", "query", SQL, XHPROF_TEXT_SQL, 1, 0, MYSQL},
	{"mysqli", "real_query", SQL, XHPROF_TEXT_SQL, 1, 0, MYSQL},
	{"mysqli", "multi_query", SQL, XHPROF_TEXT_SQL, 1, 0, MYSQL},
	{"mysqli", "next_result", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{"mysqli", "execute_query", SQL, XHPROF_TEXT_SQL, 1, 0, MYSQL},
	{"mysqli", "prepare", SQL, XHPROF_TEXT_PREPARE, 1, 0, MYSQL},
	{"mysqli", "begin_transaction", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{"mysqli", "commit", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{"mysqli", "rollback", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{"mysqli", "poll", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{"mysqli", "reap_async_query", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{"mysqli", "autocommit", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{"mysqli", "savepoint", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{"mysqli", "release_savepoint", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{"mysqli", "change_user", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{"mysqli", "select_db", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{"mysqli", "ping", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{"mysqli_stmt", "__construct", SQL, XHPROF_TEXT_PREPARE, 2, 0, MYSQL},
	{"mysqli_stmt", "prepare", SQL, XHPROF_TEXT_PREPARE, 1, 0, MYSQL},
	{"mysqli_stmt", "execute", SQL, XHPROF_TEXT_PREPARED, 0, 0, MYSQL},
	{NULL, "mysqli_connect", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{NULL, "mysqli_real_connect", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{NULL, "mysqli_query", SQL, XHPROF_TEXT_SQL, 2, 0, MYSQL},
	{NULL, "mysqli_real_query", SQL, XHPROF_TEXT_SQL, 2, 0, MYSQL},
	{NULL, "mysqli_multi_query", SQL, XHPROF_TEXT_SQL, 2, 0, MYSQL},
	{NULL, "mysqli_next_result", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{NULL, "mysqli_execute_query", SQL, XHPROF_TEXT_SQL, 2, 0, MYSQL},
	{NULL, "mysqli_prepare", SQL, XHPROF_TEXT_PREPARE, 2, 0, MYSQL},
	{NULL, "mysqli_begin_transaction", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{NULL, "mysqli_commit", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{NULL, "mysqli_rollback", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{NULL, "mysqli_poll", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{NULL, "mysqli_reap_async_query", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{NULL, "mysqli_autocommit", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{NULL, "mysqli_savepoint", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{NULL, "mysqli_release_savepoint", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{NULL, "mysqli_change_user", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{NULL, "mysqli_select_db", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{NULL, "mysqli_ping", SQL, XHPROF_TEXT_NAME, 0, 0, MYSQL},
	{NULL, "mysqli_stmt_prepare", SQL, XHPROF_TEXT_PREPARE, 2, 0, MYSQL},
	{NULL, "mysqli_stmt_execute", SQL, XHPROF_TEXT_PREPARED, 1, 0, MYSQL},
	{NULL, "mysqli_execute", SQL, XHPROF_TEXT_PREPARED, 1, 0, MYSQL},
	{NULL, "pg_connect", SQL, XHPROF_TEXT_NAME, 0, 0, POSTGRES},
	{NULL, "pg_pconnect", SQL, XHPROF_TEXT_NAME, 0, 0, POSTGRES},
	{NULL, "pg_query", SQL, XHPROF_TEXT_SQL, 0, 0, POSTGRES},
	{NULL, "pg_exec", SQL, XHPROF_TEXT_SQL, 0, 0, POSTGRES},
	{NULL, "pg_query_params", SQL, XHPROF_TEXT_SQL, 0, 0, POSTGRES},
	{NULL, "pg_send_query", SQL, XHPROF_TEXT_SQL, 0, 0, POSTGRES},
	{NULL, "pg_send_query_params", SQL, XHPROF_TEXT_SQL, 0, 0, POSTGRES},
	{NULL, "pg_prepare", SQL, XHPROF_TEXT_NAMED, 0, 0, POSTGRES},
	{NULL, "pg_send_prepare", SQL, XHPROF_TEXT_NAMED, 0, 0, POSTGRES},
	{NULL, "pg_execute", SQL, XHPROF_TEXT_BY_NAME, 0, 0, POSTGRES},
	{NULL, "pg_send_execute", SQL, XHPROF_TEXT_BY_NAME, 0, 0, POSTGRES},
	{NULL, "pg_get_result", SQL, XHPROF_TEXT_NAME, 0, 0, POSTGRES},
	{NULL, "pg_insert", SQL, XHPROF_TEXT_TABLE, 2, 0, POSTGRES},
	{NULL, "pg_update", SQL, XHPROF_TEXT_TABLE, 2, 0, POSTGRES},
	{NULL, "pg_delete", SQL, XHPROF_TEXT_TABLE, 2, 0, POSTGRES},
	{NULL, "pg_select", SQL, XHPROF_TEXT_TABLE, 2, 0, POSTGRES},
	{NULL, "pg_copy_from", SQL, XHPROF_TEXT_TABLE, 2, 0, POSTGRES},
	{NULL, "pg_copy_to", SQL, XHPROF_TEXT_TABLE, 2, 0, POSTGRES},
	{NULL, "pg_meta_data", SQL, XHPROF_TEXT_TABLE, 2, 0, POSTGRES},
	{NULL, "pg_convert", SQL, XHPROF_TEXT_TABLE, 2, 0, POSTGRES},
	{NULL, "pg_ping", SQL, XHPROF_TEXT_NAME, 0, 0, POSTGRES},
	{NULL, "pg_connection_reset", SQL, XHPROF_TEXT_NAME, 0, 0, POSTGRES},
	{NULL, "pg_cancel_query", SQL, XHPROF_TEXT_NAME, 0, 0, POSTGRES},
	{"sqlite3", "__construct", SQL, XHPROF_TEXT_NAME, 0, 0, SQLITE},
	{"sqlite3", "open", SQL, XHPROF_TEXT_NAME, 0, 0, SQLITE},
	{"sqlite3", "exec", SQL, XHPROF_TEXT_SQL, 1, 0, SQLITE},
	{"sqlite3", "query", SQL, XHPROF_TEXT_SQL, 1, 0, SQLITE},
	{"sqlite3", "querysingle", SQL, XHPROF_TEXT_SQL, 1, 0, SQLITE},
	{"sqlite3", "prepare", SQL, XHPROF_TEXT_PREPARE, 1, 0, SQLITE},
	{"sqlite3stmt", "execute", SQL, XHPROF_TEXT_PREPARED, 0, 0, SQLITE},

	{NULL, "curl_exec", XHPROF_OPERATION_HTTP, XHPROF_TEXT_CURL, 1, 0, 0},
	{NULL, "curl_multi_add_handle", XHPROF_OPERATION_HTTP, XHPROF_TEXT_CURL_ADDED, 2, 0, 0}, /* curl_multi_exec() has the time */
	{NULL, "curl_multi_exec", XHPROF_OPERATION_HTTP, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "curl_multi_select", XHPROF_OPERATION_HTTP, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "get_headers", XHPROF_OPERATION_HTTP, XHPROF_TEXT_READ, 1, 3, 0},
	{"soapclient", "__dorequest", XHPROF_OPERATION_HTTP, XHPROF_TEXT_PATH, 2, 0, 0},

	{"redis", "__construct", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"redis", "auth", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"redis", "connect", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"redis", "pconnect", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"redis", "open", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"redis", "popen", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"redis", "eval", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"redis", "eval_ro", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"redis", "evalsha", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"redis", "evalsha_ro", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"redis", "evaluate", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"redis", "evaluatesha", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"redis", "echo", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"redis", "sendecho", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"redis", "ping", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"redis", "rawcommand", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"redis", "mset", CACHE, XHPROF_TEXT_KEYED, 1, 0, 0},
	{"redis", "msetnx", CACHE, XHPROF_TEXT_KEYED, 1, 0, 0},
	{"redis", NULL, CACHE, XHPROF_TEXT_KEY, 0, 0, 0},
	{"rediscluster", "__construct", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"rediscluster", "eval", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"rediscluster", "eval_ro", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"rediscluster", "evalsha", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"rediscluster", "evalsha_ro", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"rediscluster", "echo", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"rediscluster", "ping", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"rediscluster", "rawcommand", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"rediscluster", "mset", CACHE, XHPROF_TEXT_KEYED, 1, 0, 0},
	{"rediscluster", "msetnx", CACHE, XHPROF_TEXT_KEYED, 1, 0, 0},
	{"rediscluster", NULL, CACHE, XHPROF_TEXT_KEY, 0, 0, 0},
	{"redisarray", NULL, CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"redissentinel", NULL, CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"memcached", "__construct", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"memcached", "setsaslauthdata", CACHE, XHPROF_TEXT_NAME, 0, 0, 0},
	{"memcached", "setmulti", CACHE, XHPROF_TEXT_KEYED, 1, 0, 0},
	{"memcached", "setmultibykey", CACHE, XHPROF_TEXT_KEYED, 2, 0, 0},
	{"memcached", "cas", CACHE, XHPROF_TEXT_KEY, 2, 0, 0},
	{"memcached", "casbykey", CACHE, XHPROF_TEXT_KEY, 3, 0, 0},
	{"memcached", "getbykey", CACHE, XHPROF_TEXT_KEY, 2, 0, 0},
	{"memcached", "getmultibykey", CACHE, XHPROF_TEXT_KEY, 2, 0, 0},
	{"memcached", "getdelayedbykey", CACHE, XHPROF_TEXT_KEY, 2, 0, 0},
	{"memcached", "setbykey", CACHE, XHPROF_TEXT_KEY, 2, 0, 0},
	{"memcached", "touchbykey", CACHE, XHPROF_TEXT_KEY, 2, 0, 0},
	{"memcached", "addbykey", CACHE, XHPROF_TEXT_KEY, 2, 0, 0},
	{"memcached", "appendbykey", CACHE, XHPROF_TEXT_KEY, 2, 0, 0},
	{"memcached", "prependbykey", CACHE, XHPROF_TEXT_KEY, 2, 0, 0},
	{"memcached", "replacebykey", CACHE, XHPROF_TEXT_KEY, 2, 0, 0},
	{"memcached", "deletebykey", CACHE, XHPROF_TEXT_KEY, 2, 0, 0},
	{"memcached", "deletemultibykey", CACHE, XHPROF_TEXT_KEY, 2, 0, 0},
	{"memcached", "incrementbykey", CACHE, XHPROF_TEXT_KEY, 2, 0, 0},
	{"memcached", "decrementbykey", CACHE, XHPROF_TEXT_KEY, 2, 0, 0},
	{"memcached", NULL, CACHE, XHPROF_TEXT_KEY, 0, 0, 0},
	{"memcache", NULL, CACHE, XHPROF_TEXT_KEY, 0, 0, 0},

	{NULL, "fsockopen", XHPROF_OPERATION_SOCKET, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "pfsockopen", XHPROF_OPERATION_SOCKET, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "stream_socket_client", XHPROF_OPERATION_SOCKET, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "stream_socket_accept", XHPROF_OPERATION_SOCKET, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "stream_socket_enable_crypto", XHPROF_OPERATION_SOCKET, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "stream_select", XHPROF_OPERATION_SOCKET, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "socket_connect", XHPROF_OPERATION_SOCKET, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "socket_accept", XHPROF_OPERATION_SOCKET, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "socket_read", XHPROF_OPERATION_SOCKET, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "socket_recv", XHPROF_OPERATION_SOCKET, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "socket_write", XHPROF_OPERATION_SOCKET, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "socket_send", XHPROF_OPERATION_SOCKET, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "socket_select", XHPROF_OPERATION_SOCKET, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "gethostbyname", XHPROF_OPERATION_SOCKET, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "gethostbynamel", XHPROF_OPERATION_SOCKET, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "gethostbyaddr", XHPROF_OPERATION_SOCKET, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "dns_get_record", XHPROF_OPERATION_SOCKET, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "dns_check_record", XHPROF_OPERATION_SOCKET, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "checkdnsrr", XHPROF_OPERATION_SOCKET, XHPROF_TEXT_NAME, 0, 0, 0},

	{NULL, "file_get_contents", XHPROF_OPERATION_FILE, XHPROF_TEXT_READ, 1, 3, 0},
	{NULL, "file_put_contents", XHPROF_OPERATION_FILE, XHPROF_TEXT_PATH, 1, 4, 0},
	{NULL, "file", XHPROF_OPERATION_FILE, XHPROF_TEXT_READ, 1, 3, 0},
	{NULL, "fopen", XHPROF_OPERATION_FILE, XHPROF_TEXT_PATH, 1, 4, 0},
	{NULL, "readfile", XHPROF_OPERATION_FILE, XHPROF_TEXT_READ, 1, 3, 0},
	{NULL, "copy", XHPROF_OPERATION_FILE, XHPROF_TEXT_PATH, 1, 3, 0},
	{NULL, "rename", XHPROF_OPERATION_FILE, XHPROF_TEXT_PATH, 1, 0, 0},
	{NULL, "move_uploaded_file", XHPROF_OPERATION_FILE, XHPROF_TEXT_PATH, 2, 0, 0},
	{NULL, "unlink", XHPROF_OPERATION_FILE, XHPROF_TEXT_PATH, 1, 0, 0},
	{NULL, "mkdir", XHPROF_OPERATION_FILE, XHPROF_TEXT_PATH, 1, 0, 0},
	{NULL, "rmdir", XHPROF_OPERATION_FILE, XHPROF_TEXT_PATH, 1, 0, 0},
	{NULL, "opendir", XHPROF_OPERATION_FILE, XHPROF_TEXT_PATH, 1, 0, 0},
	{NULL, "scandir", XHPROF_OPERATION_FILE, XHPROF_TEXT_READ, 1, 0, 0},
	{NULL, "glob", XHPROF_OPERATION_FILE, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "touch", XHPROF_OPERATION_FILE, XHPROF_TEXT_PATH, 1, 0, 0},
	{NULL, "fread", XHPROF_OPERATION_FILE, XHPROF_TEXT_STREAM, 1, 0, 0},
	{NULL, "fwrite", XHPROF_OPERATION_FILE, XHPROF_TEXT_STREAM, 1, 0, 0},
	{NULL, "fputs", XHPROF_OPERATION_FILE, XHPROF_TEXT_STREAM, 1, 0, 0},
	{NULL, "fpassthru", XHPROF_OPERATION_FILE, XHPROF_TEXT_STREAM, 1, 0, 0},
	{NULL, "fflush", XHPROF_OPERATION_FILE, XHPROF_TEXT_STREAM, 1, 0, 0},
	{NULL, "fsync", XHPROF_OPERATION_FILE, XHPROF_TEXT_STREAM, 1, 0, 0},
	{NULL, "fdatasync", XHPROF_OPERATION_FILE, XHPROF_TEXT_STREAM, 1, 0, 0},
	{NULL, "stream_get_contents", XHPROF_OPERATION_FILE, XHPROF_TEXT_STREAM, 1, 0, 0},
	{NULL, "stream_copy_to_stream", XHPROF_OPERATION_FILE, XHPROF_TEXT_STREAM, 1, 0, 0},

	{NULL, "exec", XHPROF_OPERATION_PROCESS, XHPROF_TEXT_PROGRAM, 1, 0, 0},
	{NULL, "shell_exec", XHPROF_OPERATION_PROCESS, XHPROF_TEXT_PROGRAM, 1, 0, 0},
	{NULL, "system", XHPROF_OPERATION_PROCESS, XHPROF_TEXT_PROGRAM, 1, 0, 0},
	{NULL, "passthru", XHPROF_OPERATION_PROCESS, XHPROF_TEXT_PROGRAM, 1, 0, 0},
	{NULL, "popen", XHPROF_OPERATION_PROCESS, XHPROF_TEXT_PROGRAM, 1, 0, 0},
	{NULL, "proc_open", XHPROF_OPERATION_PROCESS, XHPROF_TEXT_PROGRAM, 1, 0, 0},
	{NULL, "proc_close", XHPROF_OPERATION_PROCESS, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "pclose", XHPROF_OPERATION_PROCESS, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "pcntl_wait", XHPROF_OPERATION_PROCESS, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "pcntl_waitpid", XHPROF_OPERATION_PROCESS, XHPROF_TEXT_NAME, 0, 0, 0},

	{NULL, "mail", XHPROF_OPERATION_MAIL, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "mb_send_mail", XHPROF_OPERATION_MAIL, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "imap_mail", XHPROF_OPERATION_MAIL, XHPROF_TEXT_NAME, 0, 0, 0},

	{NULL, "sleep", XHPROF_OPERATION_SLEEP, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "usleep", XHPROF_OPERATION_SLEEP, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "time_nanosleep", XHPROF_OPERATION_SLEEP, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "time_sleep_until", XHPROF_OPERATION_SLEEP, XHPROF_TEXT_NAME, 0, 0, 0},

	{NULL, "session_start", XHPROF_OPERATION_LOCK, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "session_regenerate_id", XHPROF_OPERATION_LOCK, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "session_write_close", XHPROF_OPERATION_LOCK, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "session_commit", XHPROF_OPERATION_LOCK, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "flock", XHPROF_OPERATION_LOCK, XHPROF_TEXT_STREAM, 1, 0, 0},
	{NULL, "sem_acquire", XHPROF_OPERATION_LOCK, XHPROF_TEXT_NAME, 0, 0, 0},
	{NULL, "gc_collect_cycles", XHPROF_OPERATION_GC, XHPROF_TEXT_NAME, 0, 0, 0},
	/* clang-format on */
};

/* Methods of classes whose other methods are operations: these ask no server, and what they are given is no key but a
 * value or a password. */
static const struct local_methods {
	const char *scope;
	const char *names[24]; /* lower case, up to NULL */
} local_methods[] = {
	{"redis", {"setoption",       "getoption",  "_prefix",      "_serialize",    "_unserialize", "_pack",
			   "_unpack",         "_compress",  "_uncompress",  "_digest",       "isconnected",  "gethost",
			   "getport",         "getdbnum",   "getauth",      "getmode",       "gettimeout",   "getreadtimeout",
			   "getpersistentid", "__destruct", "getlasterror", "clearlasterror"}},
	{"rediscluster",
	 {"setoption", "getoption", "_prefix", "_serialize", "_unserialize", "_pack", "_unpack", "_compress", "_uncompress",
	  "_digest", "_masters", "getmode", "getlasterror", "clearlasterror"}},
	{"memcached",
	 {"setoption", "setoptions", "getoption", "addserver", "addservers", "resetserverlist", "getserverlist",
	  "getserverbykey", "setbucket", "setencodingkey", "getresultcode", "getresultmessage", "getlasterrorcode",
	  "getlasterrorerrno", "getlasterrormessage", "getlastdisconnectedserver", "ispersistent", "ispristine",
	  "checkkey"}},
	{"memcache", {"addserver", "setserverparams", "setcompressthreshold", "setfailurecallback", "getserverstatus"}},
};

static bool is_name(const char *name, size_t length, const char *lower_case)
{
	/* Every built-in function of a profile comes here once: the first letter settles most of them. */
	return length && ((*name ^ *lower_case) & ~0x20) == 0 && strncasecmp(name, lower_case, length) == 0 &&
		   !lower_case[length];
}

static bool is_local(const char *scope, const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(local_methods) / sizeof(local_methods[0]); i++) {
		const struct local_methods *methods = &local_methods[i];
		for (size_t j = 0; !strcmp(methods->scope, scope) && methods->names[j]; j++) {
			if (is_name(name, length, methods->names[j])) {
				return true;
			}
		}
	}
	return false;
}

const xhprof_operation_function *xhprof_operation_function_find(const char *scope, size_t scope_length,
																const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		const xhprof_operation_function *function = &functions[i];
		bool same_scope = scope ? function->scope && is_name(scope, scope_length, function->scope) : !function->scope;
		if (same_scope && (!function->name || is_name(name, length, function->name))) {
			return function->scope && !function->name && is_local(function->scope, name, length) ? NULL : function;
		}
	}
	return NULL;
}

const xhprof_operation_function *xhprof_operation_function_named(const char *name, size_t length)
{
	const char *colons = memmem(name, length, "::", 2);
	if (!colons) {
		return xhprof_operation_function_find(NULL, 0, name, length);
	}
	size_t scope_length = (size_t)(colons - name);
	return xhprof_operation_function_find(name, scope_length, colons + 2, length - scope_length - 2);
}

_Static_assert(sizeof(functions) / sizeof(functions[0]) < 1u << XHPROF_OPERATION_FUNCTION_BITS, "numbers are larger");

const xhprof_operation_function *xhprof_operation_function_at(unsigned number)
{
	return &functions[number];
}

unsigned xhprof_operation_function_number(const xhprof_operation_function *function)
{
	return (unsigned)(function - functions);
}

const char *xhprof_operation_kind_name(xhprof_operation_kind kind)
{
	static const char *const names[XHPROF_OPERATION_KINDS] = {"sql",  "http",  "cache", "socket",  "file", "process",
															  "mail", "sleep", "lock",  "compile", "gc"};
	return names[kind];
}
