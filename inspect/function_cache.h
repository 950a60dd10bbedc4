/* From the address of a function in a process to its name. The function is read again for every sample; the text of its
 * name only if it is another function, or the text is older than a while. */
#ifndef XHPROF_INSPECT_FUNCTION_CACHE_H
#define XHPROF_INSPECT_FUNCTION_CACHE_H

#include "names.h"
#include "remote.h"

/* The fields of a function that samples need. */
typedef struct xhprof_function {
	xhprof_name *name; /* NULL: no call of the program's (a placeholder, the engine's own) */
	bool code;         /* not an internal function; the rest is only of these */
	bool nameless;     /* a file, an eval() */
	uint32_t line;     /* where it begins */
	xhprof_addr opcodes, file;
	uint32_t last; /* number of opcodes */
	/* Different if another function is at the address. */
	uint64_t name_address, scope, generation;
	uint32_t flags;
} xhprof_function;

typedef struct xhprof_function_cache {
	xhprof_remote *remote;
	xhprof_names *names;    /* may be shared by several caches */
	xhprof_table functions; /* address -> xhprof_function */
	xhprof_arena arena;
	uint64_t generation; /* names of older ones are read again */
} xhprof_function_cache;

/* NULL if there is no function, or it cannot be read. Valid until the next call. */
const xhprof_function *xhprof_function_at(xhprof_function_cache *cache, xhprof_at address);

/* The path of its file. False if it cannot be read. */
bool xhprof_function_file(xhprof_function_cache *cache, const xhprof_function *function, char *to, size_t size);

/* The line of an operation; 0 if the operation is not within the function. */
uint32_t xhprof_function_line(xhprof_function_cache *cache, const xhprof_function *function, xhprof_at opline);

void xhprof_function_cache_release(xhprof_function_cache *cache);

#endif
