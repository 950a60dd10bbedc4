/* The document "timeline" of a run's file: the timeline of a profile. See docs/formats.md. */
#ifndef XHPROF_EXPORT_TIMELINE_SECTIONS_H
#define XHPROF_EXPORT_TIMELINE_SECTIONS_H

#include "run_file.h"

#include "trace/tracer.h"

/* The source of the sections, which lives until the file is written. */
typedef struct xhprof_timeline_sections {
	const xhprof_tracer *tracer;
	const uint32_t *places; /* of nodes, by id */
	uint32_t *order;        /* calls by start; mapped */
	size_t order_size;
	size_t next; /* first call that was not read yet, of the column that is being read */
} xhprof_timeline_sections;

/* Adds the document of a stopped profile with a timeline. `places`: of nodes in preorder, by id; see columns.h. False
 * without memory. */
bool xhprof_timeline_sections_add(xhprof_timeline_sections *sections, const xhprof_tracer *tracer,
								  const uint32_t *places, xhprof_run_file *file);

/* Releases the sections, also those that were never added, all zero. */
void xhprof_timeline_sections_release(xhprof_timeline_sections *sections);

#endif
