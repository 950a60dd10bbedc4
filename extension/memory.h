/* Glue: shared by the PHP functions about allocated memory. */
#ifndef XHPROF_MEMORY_H
#define XHPROF_MEMORY_H

#include "php_xhprof.h"

#include "export/alloc_output.h"

/* The caller of a dump, and the way to report a failure. */
typedef struct xhprof_memory_caller {
	const char *function;
	const char *unwritable; /* the message when the stream cannot be written to */
	bool throws;            /* an Exception instead of a warning */
} xhprof_memory_caller;

/* Dumps the live blocks to a stream. False after a failure has been reported, or an exception. */
bool xhprof_memory_dump(const xhprof_memory_caller *caller, zval *stream, const xhprof_alloc_request *request);

/* Takes a dump of everything; false after a failure has been reported. */
bool xhprof_memory_take(const xhprof_memory_caller *caller, xhprof_alloc_dump *dump,
						const xhprof_alloc_dump_options *options);

#endif
