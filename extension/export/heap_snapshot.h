/* A snapshot of this process's Zend heap: its contents, their referrers and, while allocations are recorded, the
 * allocating paths. While it is taken nothing is allocated in the heap, the program does not run, and the heap does not
 * change. */
#ifndef XHPROF_EXPORT_HEAP_SNAPSHOT_H
#define XHPROF_EXPORT_HEAP_SNAPSHOT_H

#include "php_xhprof.h"

#include "heap_output.h"

typedef struct xhprof_heap_request {
	bool summary_only; /* the file has no nodes */
	uint64_t max_string;
	bool redact;
	bool handlers; /* call the handlers of internal classes for their objects' values */
	bool native;   /* look for owners of untyped blocks */
	bool scalars;
	bool in_heap; /* the heap called this, as it is about to report that there is no memory: its sums may differ */
	/* The web request, without secrets; NULL and "": unknown, and left out. `host`: NULL for this machine. */
	const char *host, *method, *url, *route;
	/* The condition of a setting that has asked for it, as "peak=256M", and the bytes that have met it; or NULL. */
	const char *taken_if;
	uint64_t reached;
} xhprof_heap_request;

void xhprof_heap_request_init(xhprof_heap_request *request);

/* Reads the options of xhprof_heap_snapshot(); false after an exception. */
bool xhprof_heap_request_read(xhprof_heap_request *request, HashTable *options);

/* Writes the file, readable by its owner only: under another name, and renamed when it is complete. A device is written
 * to directly. `path` is absolute. Returns pages, or NULL without memory; release them whatever `failure` is: NULL, or
 * one line that says why there is no snapshot, and then there is no file either. */
struct xhprof_heap_snapshot *xhprof_heap_snapshot_write(const xhprof_heap_request *request, const char *path,
														const char **failure);

/* Returns whether an extension's handler has ended the request meanwhile, by memory_limit for example: the caller then
 * releases its own resources and calls zend_bailout(). */
bool xhprof_heap_snapshot_left(const struct xhprof_heap_snapshot *snapshot);

/* Makes the PHP array with the summary of a written snapshot. */
void xhprof_heap_snapshot_array(struct xhprof_heap_snapshot *snapshot, zval *to);
void xhprof_heap_snapshot_release(struct xhprof_heap_snapshot *snapshot);

#endif
