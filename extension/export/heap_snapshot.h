/* A snapshot of this process's Zend heap: what is in it, who holds it, and, while allocations are being registered, who
 * allocated it. Nothing is allocated in the heap meanwhile, nothing of the program runs, and nothing of it changes. */
#ifndef XHPROF_EXPORT_HEAP_SNAPSHOT_H
#define XHPROF_EXPORT_HEAP_SNAPSHOT_H

#include "php_xhprof.h"

#include "heap_output.h"

typedef struct xhprof_heap_request {
	bool summary_only; /* the file has no nodes */
	uint64_t max_string;
	bool redact;
	bool handlers; /* ask objects of internal classes for their values */
	bool native;   /* look for owners of what is not typed */
	bool scalars;
	bool in_heap; /* from within the heap, which is about to say that there is no memory: its sums may differ */
	/* Of the web request, without secrets; NULL and "": not known, and left out. `host`: NULL for this machine. */
	const char *host, *method, *url, *route;
} xhprof_heap_request;

void xhprof_heap_request_init(xhprof_heap_request *request);

/* Reads the options of xhprof_heap_snapshot(); false when an error has been thrown. */
bool xhprof_heap_request_read(xhprof_heap_request *request, HashTable *options);

/* Writes the file, which is nobody's but the owner's: under another name, and renamed when it is whole. A device is written to
 * as it is. `path` is absolute. Pages, or NULL when there is no memory; to be released in either case of `failure`: NULL, or one
 * line why there is no snapshot, whereupon there is no file either. */
struct xhprof_heap_snapshot *xhprof_heap_snapshot_write(const xhprof_heap_request *request, const char *path,
														const char **failure);

/* Whether an extension's handler has ended the request meanwhile, by memory_limit for example: the caller goes on with
 * zend_bailout() once it has released what is its own. */
bool xhprof_heap_snapshot_left(const struct xhprof_heap_snapshot *snapshot);

/* The summary of one that has been written, as PHP's array. */
void xhprof_heap_snapshot_array(struct xhprof_heap_snapshot *snapshot, zval *to);
void xhprof_heap_snapshot_release(struct xhprof_heap_snapshot *snapshot);

#endif
