/* Passes a dump of live blocks to a writer: to a PHP stream, into an array, to a file. Each takes ownership of the dump
 * and releases it in any case. Nothing may be started or stopped until it is done. */
#ifndef XHPROF_EXPORT_ALLOC_OUTPUT_H
#define XHPROF_EXPORT_ALLOC_OUTPUT_H

#include "php_xhprof.h"

#include "alloc_paths.h"

/* A dump to be written. */
typedef struct xhprof_alloc_request {
	xhprof_alloc_write write;
	xhprof_alloc_dump_options dump;
} xhprof_alloc_request;

/* Everything, with types, without marks. */
void xhprof_alloc_request_init(xhprof_alloc_request *request, xhprof_alloc_write write);

/* Reads a format's name and the options (each may be NULL) of xhprof_alloc_dump(), which has marks, too; false after an
 * exception. */
bool xhprof_alloc_request_read(xhprof_alloc_request *request, const zend_string *format, HashTable *options);

/* 0, or the error: ENOMEM, or that of the stream, which may have thrown. */
int xhprof_alloc_output_stream(php_stream *stream, const xhprof_alloc_request *request, xhprof_alloc_dump *dump);

/* memprof's array; null if the engine is about to report that there is no memory. */
void xhprof_alloc_output_array(zval *result, xhprof_alloc_dump *dump);

/* Why no file can be written to a folder, or NULL. */
const char *xhprof_alloc_output_problem(const char *directory);

/* Writes DIRECTORY/memprof.FORMAT.MICROSECONDS, and logs that path, or the failure. Within a fatal error. */
void xhprof_alloc_output_file(const char *directory, const char *format, const xhprof_alloc_request *request,
							  xhprof_alloc_dump *dump);

#endif
