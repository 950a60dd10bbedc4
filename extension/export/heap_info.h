/* The input of the writers of heap snapshots besides the nodes, and their common functions. */
#ifndef XHPROF_EXPORT_HEAP_INFO_H
#define XHPROF_EXPORT_HEAP_INFO_H

#include "heap/utf8_cut.h"
#include "heap/walk.h"
#include "writer.h"

/* Facts about the process and the snapshot. NULL and 0: unknown, and left out. The caller keeps the texts until the
 * snapshot ends. */
typedef struct xhprof_heap_info {
	const char *php;  /* "8.2.35" */
	const char *sapi; /* "cli" */
	const char *host, *command;
	const char *method, *url, *route; /* of a web request; without secrets */
	const char *taken_if;             /* the condition that has asked for it: "peak=256M" */
	uint64_t reached;                 /* the bytes that have met it */
	const char *reader;               /* "inside", "outside", "image", "core" */
	uint64_t pid;
	int64_t time;          /* seconds since 1970 */
	bool stopped;          /* the process was stopped meanwhile */
	const xhprof_zmm *zmm; /* the heap: its usage, peak, limit, chunks */
	uint64_t peak;         /* the program's peak, which PHP's counter in the heap loses at a reset */
	size_t max_string;
	bool redact; /* contents of strings and numbers are left out: only names and keys stay */
} xhprof_heap_info;

/* The call paths that allocated blocks, by the numbers of path_of() in the walk's options. */
typedef struct xhprof_heap_paths {
	void *context;
	/* Gives a path's function, and the calling path (0: none). False if there is no such path. */
	bool (*resolve)(void *context, uint32_t path, uint32_t *parent, const char **function, size_t *length);
} xhprof_heap_paths;

/* Writes a scalar as JSON: non-JSON numbers ("INF", "NAN") as a string. */
void xhprof_heap_write_scalar(xhprof_writer *writer, const char *scalar);

/* Writes `part` of `total` in percent. */
void xhprof_heap_write_percent(xhprof_writer *writer, uint64_t part, uint64_t total);

#endif
