/* Glue: what PHP functions about allocated memory share. */
#ifndef XHPROF_MEMORY_H
#define XHPROF_MEMORY_H

#include "php_xhprof.h"

#include "export/alloc_output.h"

/* On whose behalf a dump is made, and how a failure is reported. */
typedef struct xhprof_memory_caller {
	const char *function;
	const char *unwritable; /* what is said where the stream could not be written to */
	bool throws;            /* an Exception instead of a warning */
} xhprof_memory_caller;

/* Dumps what is tracked to a stream. False after a failure has been reported, or when something was thrown. */
bool xhprof_memory_dump(const xhprof_memory_caller *caller, zval *stream, const xhprof_alloc_request *request);

/* Takes a dump of everything; false after a failure has been reported. */
bool xhprof_memory_take(const xhprof_memory_caller *caller, xhprof_alloc_dump *dump,
						const xhprof_alloc_dump_options *options);

#endif
