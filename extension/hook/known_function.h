/* Names of functions that stay from one request to the next, those of PHP itself and those in opcache's memory: a later
 * profile of the process does not put them together again. A function is looked for by its address, which says nothing:
 * another one may be there after a restart of opcache. So each time its name is compared byte by byte. */
#ifndef XHPROF_HOOK_KNOWN_FUNCTION_H
#define XHPROF_HOOK_KNOWN_FUNCTION_H

#include "php_xhprof.h"

typedef struct xhprof_known_function {
	const zend_function *function;
	xhprof_symbol *symbol;                      /* its name, without an identity */
	const xhprof_file *file;                    /* of its place, as a hint; or NULL */
	const xhprof_operation_function *operation; /* that such a name is of; or NULL */
	uint32_t next; /* the one that was asked for after it, as a hint: its place + 1; or 0 */
} xhprof_known_function;

/* The function, if a symbol is known that has its very name; or NULL. */
const xhprof_known_function *xhprof_known_function_find(const zend_function *function);

/* Remembers the symbol of a function that was not found. `operation`: of its name, or NULL. */
void xhprof_known_function_add(const zend_function *function, xhprof_symbol_ref ref,
							   const xhprof_operation_function *operation);

/* After a profile: they stay if `*budget` bytes go that far, and are taken off it. */
void xhprof_known_functions_recycle(size_t *budget);
void xhprof_known_functions_gshutdown(zend_xhprof_globals *globals);

#endif
