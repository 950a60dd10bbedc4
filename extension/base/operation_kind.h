/* The list of all functions whose calls are operations: they wait for something outside of the program, or do the
 * engine's own work. Each has its kind, and the place of the operation's text. Does not use PHP. */
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

/* Place of the text of an operation in the call. */
typedef enum xhprof_operation_source {
	XHPROF_TEXT_NAME,       /* no further text: the function's name alone */
	XHPROF_TEXT_SQL,        /* SQL in the argument; 0: in the first one that is a string */
	XHPROF_TEXT_PREPARE,    /* SQL, too; the returned object, or the called one, is executed later */
	XHPROF_TEXT_PREPARED,   /* an object that was prepared: the argument; 0: the object itself */
	XHPROF_TEXT_NAMED,      /* SQL of a PostgreSQL statement that is prepared under a name, the string before it */
	XHPROF_TEXT_BY_NAME,    /* name of a prepared PostgreSQL statement that is executed, the first string */
	XHPROF_TEXT_STATEMENT,  /* the query of a PDOStatement */
	XHPROF_TEXT_MAY_ASK,    /* SQL of PDO::prepare(): an operation only if it asked the server, as is seen at its end */
	XHPROF_TEXT_CURL,       /* a handle of curl in the argument */
	XHPROF_TEXT_CURL_ADDED, /* a handle of curl that begins later: its method is not known yet */
	XHPROF_TEXT_PATH,       /* a path, or URL, in the argument */
	XHPROF_TEXT_READ,       /* a path, or URL, of a file that is read as a whole */
	XHPROF_TEXT_STREAM,     /* an open stream in the argument */
	XHPROF_TEXT_TABLE,      /* the name of a PostgreSQL table in the argument */
	XHPROF_TEXT_KEY,        /* a key in the argument; 0: in the first one. A string, or a list of them */
	XHPROF_TEXT_KEYED,      /* an array in the argument, whose keys are the text */
	XHPROF_TEXT_PROGRAM,    /* a command line in the first argument */
} xhprof_operation_source;

/* Dialect of SQL: decides which characters quote (operation_sql.h). */
typedef enum xhprof_sql_dialect {
	XHPROF_SQL_UNKNOWN,
	XHPROF_SQL_MYSQL,
	XHPROF_SQL_SQLITE,
	XHPROF_SQL_STANDARD /* PostgreSQL and others */
} xhprof_sql_dialect;

typedef struct xhprof_operation_function {
	const char *scope; /* class in lower case; NULL for a function */
	const char *name;  /* in lower case; NULL: every method of the class that has no line of its own */
	unsigned char kind, source;
	unsigned char argument; /* number of the argument, from 1 */
	unsigned char context;  /* number of the argument with the stream's context; 0: none */
	unsigned char dialect;
} xhprof_operation_function;

/* Finds the operation of a function of PHP; NULL if calls of it are none. `scope`: its class, or NULL. Names may be in
 * any case. */
const xhprof_operation_function *xhprof_operation_function_find(const char *scope, size_t scope_length,
																const char *name, size_t length);

/* Finds the operation of a function by a name like "PDO::query". */
const xhprof_operation_function *xhprof_operation_function_named(const char *name, size_t length);

/* Convert between an operation's function and its number in the list, which is stored instead of a pointer. */
#define XHPROF_OPERATION_FUNCTION_BITS 8
const xhprof_operation_function *xhprof_operation_function_at(unsigned number);
unsigned xhprof_operation_function_number(const xhprof_operation_function *function);

/* Returns the name of a kind in files: "sql", "http", ... */
const char *xhprof_operation_kind_name(xhprof_operation_kind kind);

#endif
