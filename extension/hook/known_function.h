/* Names of functions that stay from one request to the next, for PHP's own functions and those in opcache's memory:
 * later profiles of the process do not build them again. A function is found by its address, which proves nothing, as
 * another one may be there after a restart of opcache. So its name is compared byte by byte each time. */
#ifndef XHPROF_HOOK_KNOWN_FUNCTION_H
#define XHPROF_HOOK_KNOWN_FUNCTION_H

#include "php_xhprof.h"

typedef struct xhprof_known_function {
	const zend_function *function;
	xhprof_symbol *symbol;                      /* its name, without an identity */
	const xhprof_file *file;                    /* the file of its place, as a hint; or NULL */
	const xhprof_operation_function *operation; /* the operation that a function of this name is, or NULL */
	uint32_t next; /* place + 1 of the function that was asked for after this one, as a hint; or 0 */
} xhprof_known_function;

/* Returns the known function if its name still is the very same, or NULL. */
const xhprof_known_function *xhprof_known_function_find(const zend_function *function);

/* Remembers the symbol of a function that was not found. `operation`: what a function of this name is, or NULL. */
void xhprof_known_function_add(const zend_function *function, xhprof_symbol_ref ref,
							   const xhprof_operation_function *operation);

/* Keeps the functions for the next profile if `*budget` bytes suffice, and takes their size off it; else drops them. */
void xhprof_known_functions_recycle(size_t *budget);
void xhprof_known_functions_gshutdown(zend_xhprof_globals *globals);

#endif
