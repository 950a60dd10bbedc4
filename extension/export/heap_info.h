/* Input of the writers of heap snapshots beside the nodes, and their common functions. */
#ifndef XHPROF_EXPORT_HEAP_INFO_H
#define XHPROF_EXPORT_HEAP_INFO_H

#include "heap/utf8_cut.h"
#include "heap/walk.h"
#include "writer.h"

/* Of the process and of the snapshot. NULL and 0: unknown, and left out. The caller owns the texts until the snapshot
 * ends. */
typedef struct xhprof_heap_info {
	const char *php;  /* "8.2.35" */
	const char *sapi; /* "cli" */
	const char *host, *command;
	const char *method, *url, *route; /* of a web request; no secrets */
	const char *reader;               /* "inside", "outside", "image" */
	uint64_t pid;
	int64_t time;          /* seconds since 1970 */
	bool stopped;          /* the process was stopped meanwhile */
	const xhprof_zmm *zmm; /* its usage, peak, limit, chunks */
	uint64_t peak;         /* the program's, which PHP's counter in the heap forgets at a reset */
	size_t max_string;
	bool redact; /* no contents of strings, no numbers: names and keys only */
} xhprof_heap_info;

/* Call paths that allocated blocks, as walk options' path_of() numbers them. */
typedef struct xhprof_heap_paths {
	void *context;
	/* A path's function, and the calling path (0: none). False if there is no such path. */
	bool (*resolve)(void *context, uint32_t path, uint32_t *parent, const char **function, size_t *length);
} xhprof_heap_paths;

/* Writes a scalar as JSON: non-JSON numbers ("INF", "NAN") as a string. */
void xhprof_heap_write_scalar(xhprof_writer *writer, const char *scalar);

/* `part` of `total` in percent. */
void xhprof_heap_write_percent(xhprof_writer *writer, uint64_t part, uint64_t total);

#endif
