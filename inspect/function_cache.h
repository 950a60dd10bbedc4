/* From the address of a function in a process to its name. The function is read anew for every sample; the text of its
 * name only when it is another function, or has not been looked at for a while. */
#ifndef XHPROF_INSPECTOR_FUNCTION_CACHE_H
#define XHPROF_INSPECTOR_FUNCTION_CACHE_H

#include "names.h"
#include "remote.h"

/* A function as samples need it. */
typedef struct xhprof_function {
	xhprof_name *name; /* NULL: no call of the program's (a placeholder, the engine's own) */
	bool code;         /* not an internal function; what follows is only of these */
	bool nameless;     /* a file, an eval() */
	uint32_t line;     /* where it begins */
	xhprof_addr opcodes, file;
	uint32_t last; /* number of opcodes */
	/* Different when another function is at the address. */
	uint64_t name_address, scope, generation;
	uint32_t flags;
} xhprof_function;

typedef struct xhprof_function_cache {
	xhprof_remote *remote;
	xhprof_names *names;    /* may be of several caches */
	xhprof_table functions; /* address -> xhprof_function */
	xhprof_arena arena;
	uint64_t generation; /* names of older ones are read again */
} xhprof_function_cache;

/* NULL when there is no function, or it cannot be read. Valid until the next is asked for. */
const xhprof_function *xhprof_function_at(xhprof_function_cache *cache, xhprof_at address);

/* The path of its file. False when it cannot be read. */
bool xhprof_function_file(xhprof_function_cache *cache, const xhprof_function *function, char *to, size_t size);

/* The line of an operation; 0 when the operation is not within the function. */
uint32_t xhprof_function_line(xhprof_function_cache *cache, const xhprof_function *function, xhprof_at opline);

void xhprof_function_cache_release(xhprof_function_cache *cache);

#endif
