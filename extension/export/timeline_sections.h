/* The timeline of a profile, docs/formats.md: the document "timeline" of a run's file. */
#ifndef XHPROF_EXPORT_TIMELINE_SECTIONS_H
#define XHPROF_EXPORT_TIMELINE_SECTIONS_H

#include "run_file.h"

#include "trace/tracer.h"

/* What the sections are made from; it lives until the file is written. */
typedef struct xhprof_timeline_sections {
	const xhprof_tracer *tracer;
	const uint32_t *places; /* of nodes, by id */
	uint32_t *order;        /* calls by start; mapped */
	size_t order_size;
	size_t next; /* the first that was not looked at yet, of the column that is asked for */
} xhprof_timeline_sections;

/* Of a stopped profile with a timeline; `places` by node id, see columns.h. False without memory. */
bool xhprof_timeline_sections_add(xhprof_timeline_sections *sections, const xhprof_tracer *tracer,
								  const uint32_t *places, xhprof_run_file *file);

/* Also of sections that were never added, all zero. */
void xhprof_timeline_sections_release(xhprof_timeline_sections *sections);

#endif
