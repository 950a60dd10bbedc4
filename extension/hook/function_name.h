/* The symbols of the engine's functions and files. Not on the hot path: used once per function and profile. */
#ifndef XHPROF_HOOK_FUNCTION_NAME_H
#define XHPROF_HOOK_FUNCTION_NAME_H

#include "php_xhprof.h"

/* Returns the symbol of a function. Names are "f", "Class::m", "{closure:dir/file.php:12}", "class@anonymous::m" or
 * "run_init::dir/file.php". */
xhprof_symbol_ref xhprof_function_symbol(xhprof_symbols *symbols, const zend_function *function);

/* Returns the symbol made of `prefix` and the last two parts of `path`: "load::dir/file.php". */
xhprof_symbol_ref xhprof_file_symbol(xhprof_symbols *symbols, const char *prefix, const char *path, size_t length,
									 uint32_t flags);

/* The unit being compiled: a file, or a string of one. */
typedef struct xhprof_compiled {
	const char *prefix, *path; /* "load::", "eval::" */
	size_t length;             /* length of the path */
	bool shorten;              /* the path is shortened to its last two parts */
} xhprof_compiled;

xhprof_symbol_ref xhprof_compiled_symbol(xhprof_symbols *symbols, const xhprof_compiled *what, uint32_t flags);

/* Returns the place in a path where its last two parts begin. */
const char *xhprof_short_path(const char *path, size_t length);

#endif
