/* The samples of a sampling in the order they were taken: the document "samples" of a run's file, docs/formats.md. */
#ifndef XHPROF_EXPORT_SAMPLE_SECTIONS_H
#define XHPROF_EXPORT_SAMPLE_SECTIONS_H

#include "run_file.h"

#include "trace/tracer.h"

/* What the sections are made from; it lives until the file is written. */
typedef struct xhprof_sample_sections {
	const xhprof_tracer *tracer;
	const uint32_t *places;
} xhprof_sample_sections;

/* Whether the profile has any: it is a sampling with a log, not only counts. */
static inline bool xhprof_samples_kept(const xhprof_tracer *tracer)
{
	return tracer->sample_interval_us && !tracer->samples.only_counts;
}

/* Of a stopped profile; `places` by node id, see columns.h. */
void xhprof_sample_sections_add(xhprof_sample_sections *sections, const xhprof_tracer *tracer, const uint32_t *places,
								xhprof_run_file *file);

#endif
