/* The document "operations" of a run's file: what a profile waited for. See docs/formats.md. */
#ifndef XHPROF_EXPORT_OPERATION_SECTIONS_H
#define XHPROF_EXPORT_OPERATION_SECTIONS_H

#include "run_file.h"

#include "trace/tracer.h"

/* A text at a call path. Only exact profiles have `most` and `buckets`. */
typedef struct xhprof_operation_row {
	uint32_t text, node;
	uint64_t calls, total, most, distinct;
	const uint32_t *buckets;
} xhprof_operation_row;

/* The source of the sections, which lives until the file is written. */
typedef struct xhprof_operation_sections {
	const xhprof_tracer *tracer;
	xhprof_operation_row *rows;
	size_t count, room;
	size_t row;                                 /* row of the next bucket to be read */
	unsigned bucket;                            /* number of that bucket */
	const xhprof_operation_context *in_context; /* the next one to be read */
} xhprof_operation_sections;

/* Returns whether there is anything to write: operations were recorded or lost, or samples were taken in their
 * functions. */
bool xhprof_operations_kept(const xhprof_tracer *tracer);

/* Adds the document of a stopped profile. `places`: of nodes in preorder, by id; see columns.h. False without
 * memory. */
bool xhprof_operation_sections_add(xhprof_operation_sections *sections, const xhprof_tracer *tracer,
								   const uint32_t *places, xhprof_run_file *file);

/* Releases the sections, also those that were never added, all zero. */
void xhprof_operation_sections_release(xhprof_operation_sections *sections);

#endif
