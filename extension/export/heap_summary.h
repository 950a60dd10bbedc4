/* The summary of a walk: counts its nodes by type and by class, and native blocks by owner. It passes all reports on to
 * another visitor. */
#ifndef XHPROF_EXPORT_HEAP_SUMMARY_H
#define XHPROF_EXPORT_HEAP_SUMMARY_H

#include "base/arena.h"
#include "base/table.h"
#include "heap_info.h"
#include "json_layout.h"

typedef struct xhprof_heap_count {
	uint64_t count;
	uint64_t bytes; /* of blocks of the Zend heap */
	uint64_t size;  /* bytes used, in the heap or elsewhere */
} xhprof_heap_count;

/* A class or an owner. */
typedef struct xhprof_heap_named {
	xhprof_heap_count counted;
	const char *name; /* not always terminated by a NUL */
	size_t length;
	struct xhprof_heap_named *next; /* next one with the same hash; once sorted, the next by bytes */
} xhprof_heap_named;

#define XHPROF_HEAP_NAMES_MAX 65536 /* further names are "(others)" */

typedef struct xhprof_heap_names {
	xhprof_table table; /* hash -> the first name with it */
	xhprof_heap_named others;
	xhprof_heap_named *first; /* once sorted */
	uint32_t count;
} xhprof_heap_names;

typedef struct xhprof_heap_summary {
	xhprof_heap_count types[XHPROF_HEAP_TYPE_COUNT];
	xhprof_heap_names classes; /* of objects, closures, generators, fibers, enum cases */
	xhprof_heap_names owners;  /* of native blocks */
	uint64_t nodes, edges;
	xhprof_arena arena;
	xhprof_heap_visitor next; /* the visitor to pass reports to; without functions: none */
} xhprof_heap_summary;

/* Begins a summary. `next`: the visitor to pass all reports to, or NULL. Names without memory for them are counted as
 * "(others)". */
void xhprof_heap_summary_begin(xhprof_heap_summary *summary, const xhprof_heap_visitor *next);
void xhprof_heap_summary_release(xhprof_heap_summary *summary);
xhprof_heap_visitor xhprof_heap_summary_visitor(xhprof_heap_summary *summary);

/* Sorts classes, or owners, by their bytes after the walk, and returns the largest one. */
const xhprof_heap_named *xhprof_heap_names_sort(xhprof_heap_names *names);

/* Writes the JSON object of a snapshot's footer; the caller has written its key. */
void xhprof_heap_summary_write(xhprof_heap_summary *summary, xhprof_json *json, const xhprof_heap_info *info,
							   const xhprof_walk_result *result, uint64_t took_ns);

#endif
