/* Glue: what PHP functions about allocated memory share. */
#ifndef XHPROF_MEMORY_H
#define XHPROF_MEMORY_H

#include "php_xhprof.h"

#include "export/alloc_output.h"

/* Dumps what is tracked to a stream, for the function of that name. False after a warning, or when something was thrown. */
bool xhprof_memory_dump(const char *function, zval *stream, const xhprof_alloc_request *request);

/* Takes a dump of everything; warns, and returns false, when there is no memory for it. */
bool xhprof_memory_take(const char *function, xhprof_alloc_dump *dump, const xhprof_alloc_dump_options *options);

#endif
