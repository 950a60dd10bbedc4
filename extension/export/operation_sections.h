/* What a profile waited for, docs/formats.md: the document "operations" of a run's file. */
#ifndef XHPROF_EXPORT_OPERATION_SECTIONS_H
#define XHPROF_EXPORT_OPERATION_SECTIONS_H

#include "run_file.h"

#include "trace/tracer.h"

/* A text at a call path. `most` and `buckets` are of exact profiles only. */
typedef struct xhprof_operation_row {
	uint32_t text, node;
	uint64_t calls, total, most, distinct;
	const uint32_t *buckets;
} xhprof_operation_row;

/* What the sections are made from; it lives until the file is written. */
typedef struct xhprof_operation_sections {
	const xhprof_tracer *tracer;
	xhprof_operation_row *rows;
	size_t count, room;
	size_t row;      /* of the next bucket that is asked for */
	unsigned bucket; /* its number */
} xhprof_operation_sections;

/* Whether there is anything to write: operations were recorded or lost, or a sampling met their functions. */
bool xhprof_operations_kept(const xhprof_tracer *tracer);

/* Of a stopped profile; `places` by node id, see columns.h. False without memory. */
bool xhprof_operation_sections_add(xhprof_operation_sections *sections, const xhprof_tracer *tracer,
								   const uint32_t *places, xhprof_run_file *file);

/* Also of sections that were never added, all zero. */
void xhprof_operation_sections_release(xhprof_operation_sections *sections);

#endif
