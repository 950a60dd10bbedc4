/* The document "contexts" of a run's file: the trace contexts of its samples and operations. See docs/formats.md. */
#ifndef XHPROF_EXPORT_CONTEXT_SECTIONS_H
#define XHPROF_EXPORT_CONTEXT_SECTIONS_H

#include "run_file.h"

#include "trace/tracer.h"

/* The source of the sections, which lives until the file is written. */
typedef struct xhprof_context_sections {
	const xhprof_tracer *tracer;
	char trace[XHPROF_TRACE_ID_LENGTH + 1], span[XHPROF_SPAN_ID_LENGTH + 1]; /* those read last */
} xhprof_context_sections;

/* Returns whether anything has a context, or lost it. */
static inline bool xhprof_contexts_kept(const xhprof_tracer *tracer)
{
	return tracer->contexts.count || tracer->contexts.dropped;
}

/* Adds the document of a stopped profile. */
void xhprof_context_sections_add(xhprof_context_sections *sections, const xhprof_tracer *tracer, xhprof_run_file *file);

#endif
