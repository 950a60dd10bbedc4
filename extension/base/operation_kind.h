/* The operations of a program: functions that wait for something outside of it, or do the engine's own work, by kind,
 * and where the text of such an operation is. This is the one list of them. Does not use PHP. */
#ifndef XHPROF_BASE_OPERATION_KIND_H
#define XHPROF_BASE_OPERATION_KIND_H

#include <stddef.h>

typedef enum xhprof_operation_kind {
	XHPROF_OPERATION_SQL,
	XHPROF_OPERATION_HTTP,
	XHPROF_OPERATION_CACHE,
	XHPROF_OPERATION_SOCKET,
	XHPROF_OPERATION_FILE,
	XHPROF_OPERATION_PROCESS,
	XHPROF_OPERATION_MAIL,
	XHPROF_OPERATION_SLEEP,
	XHPROF_OPERATION_LOCK,
	XHPROF_OPERATION_COMPILE,
	XHPROF_OPERATION_GC,
	XHPROF_OPERATION_KINDS
} xhprof_operation_kind;

/* Where the text of a call is. */
typedef enum xhprof_operation_source {
	XHPROF_TEXT_NAME,       /* the function's name is all */
	XHPROF_TEXT_SQL,        /* SQL in the argument; 0: in the first one that is a string */
	XHPROF_TEXT_PREPARE,    /* the same; the object that is returned, or called, is executed later */
	XHPROF_TEXT_PREPARED,   /* an object that was prepared: the argument; 0: the object itself */
	XHPROF_TEXT_NAMED,      /* PostgreSQL: prepares a statement under a name, the string before the SQL */
	XHPROF_TEXT_BY_NAME,    /* PostgreSQL: executes it; its name is the first string */
	XHPROF_TEXT_STATEMENT,  /* PDOStatement */
	XHPROF_TEXT_MAY_ASK,    /* PDO::prepare(): an operation if the server was asked, which is known after it */
	XHPROF_TEXT_CURL,       /* a handle of curl in the argument */
	XHPROF_TEXT_CURL_ADDED, /* the same, which begins later: curl does not know its method yet */
	XHPROF_TEXT_PATH,       /* a path, or URL, in the argument */
	XHPROF_TEXT_READ,       /* the same, of a function that reads all of it */
	XHPROF_TEXT_STREAM,     /* an open stream in the argument */
	XHPROF_TEXT_TABLE,      /* PostgreSQL: the name of a table in the argument */
	XHPROF_TEXT_KEY,        /* a key in the argument; 0: in the first one. A string, or a list of them */
	XHPROF_TEXT_KEYED,      /* values by their keys in the argument */
	XHPROF_TEXT_PROGRAM,    /* a command line in the first argument */
} xhprof_operation_source;

/* Which quotes SQL has; operation_sql.h. */
typedef enum xhprof_sql_dialect {
	XHPROF_SQL_UNKNOWN,
	XHPROF_SQL_MYSQL,
	XHPROF_SQL_SQLITE,
	XHPROF_SQL_STANDARD /* as PostgreSQL */
} xhprof_sql_dialect;

typedef struct xhprof_operation_function {
	const char *scope; /* lower case, as `name`; NULL for a function */
	const char *name;  /* NULL: any method of the class without a line of its own */
	unsigned char kind, source;
	unsigned char argument; /* from 1 */
	unsigned char context;  /* of a path: the argument with the stream's context; 0: none */
	unsigned char dialect;
} xhprof_operation_function;

/* Returns the operation that a function of PHP is, or NULL. `scope` NULL: no method. Names may be in any case. */
const xhprof_operation_function *xhprof_operation_function_find(const char *scope, size_t scope_length,
																const char *name, size_t length);

/* Returns the operation of a function by a name as "PDO::query", or NULL. */
const xhprof_operation_function *xhprof_operation_function_named(const char *name, size_t length);

/* All of them, for those who keep a number instead of the pointer. */
#define XHPROF_OPERATION_FUNCTION_BITS 8
const xhprof_operation_function *xhprof_operation_function_at(unsigned number);
unsigned xhprof_operation_function_number(const xhprof_operation_function *function);

/* "sql", "http", ...: as files have them. */
const char *xhprof_operation_kind_name(xhprof_operation_kind kind);

#endif
