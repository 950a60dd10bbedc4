/* The outputs of a dump: a PHP stream, an array, a file. Each function takes ownership of the dump and releases it in
 * any case. Nothing may be started or stopped until it has returned. */
#ifndef XHPROF_EXPORT_ALLOC_OUTPUT_H
#define XHPROF_EXPORT_ALLOC_OUTPUT_H

#include "php_xhprof.h"

#include "alloc_paths.h"

/* A request to write a dump. */
typedef struct xhprof_alloc_request {
	xhprof_alloc_write write;
	xhprof_alloc_dump_options dump;
} xhprof_alloc_request;

/* Initializes a request for everything, with types and without marks. */
void xhprof_alloc_request_init(xhprof_alloc_request *request, xhprof_alloc_write write);

/* Reads a format's name and the options of xhprof_alloc_dump(), which has marks, too. Both may be NULL. False after an
 * exception. */
bool xhprof_alloc_request_read(xhprof_alloc_request *request, const zend_string *format, HashTable *options);

/* Writes a dump to a stream. Returns 0, ENOMEM, or the error of the stream, which may have thrown an exception. */
int xhprof_alloc_output_stream(php_stream *stream, const xhprof_alloc_request *request, xhprof_alloc_dump *dump);

/* Makes memprof's array of a dump; null if the engine is about to report that there is no memory. */
void xhprof_alloc_output_array(zval *result, xhprof_alloc_dump *dump);

/* Returns the reason why no file can be written to a folder, or NULL. */
const char *xhprof_alloc_output_problem(const char *directory);

/* Writes DIRECTORY/memprof.FORMAT.MICROSECONDS, and logs that path or the failure. Called within a fatal error. */
void xhprof_alloc_output_file(const char *directory, const char *format, const xhprof_alloc_request *request,
							  xhprof_alloc_dump *dump);

#endif
