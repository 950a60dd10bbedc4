/* From the engine's functions and files to symbols. Cold: once per function and profile. */
#ifndef XHPROF_HOOK_FUNCTION_NAME_H
#define XHPROF_HOOK_FUNCTION_NAME_H

#include "php_xhprof.h"

/* "f", "Class::m", "{closure:dir/file.php:12}", "class@anonymous::m", "run_init::dir/file.php". */
xhprof_symbol_ref xhprof_function_symbol(xhprof_symbols *symbols, const zend_function *function);

/* `prefix` and the last two parts of `path`, as "load::dir/file.php". */
xhprof_symbol_ref xhprof_file_symbol(xhprof_symbols *symbols, const char *prefix, const char *path, size_t length,
									 uint32_t flags);

/* The unit being compiled: a file, or a string of one. */
typedef struct xhprof_compiled {
	const char *prefix, *path; /* "load::", "eval::" */
	size_t length;             /* of the path */
	bool shorten;              /* to the last two parts */
} xhprof_compiled;

xhprof_symbol_ref xhprof_compiled_symbol(xhprof_symbols *symbols, const xhprof_compiled *what, uint32_t flags);

/* The last two parts of a path, inside it. */
const char *xhprof_short_path(const char *path, size_t length);

#endif
