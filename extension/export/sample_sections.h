/* The document "samples" of a run's file: the samples in the order they were taken. See docs/formats.md. */
#ifndef XHPROF_EXPORT_SAMPLE_SECTIONS_H
#define XHPROF_EXPORT_SAMPLE_SECTIONS_H

#include "run_file.h"

#include "trace/tracer.h"

/* The source of the sections, which lives until the file is written. */
typedef struct xhprof_sample_sections {
	const xhprof_tracer *tracer;
	const uint32_t *places;
} xhprof_sample_sections;

/* Returns whether the profile has samples in order: it was sampled with a log, and not only counted. */
static inline bool xhprof_samples_kept(const xhprof_tracer *tracer)
{
	return tracer->sample_interval_us && !tracer->samples.only_counts;
}

/* Adds the document of a stopped profile. `places`: of nodes in preorder, by id; see columns.h. */
void xhprof_sample_sections_add(xhprof_sample_sections *sections, const xhprof_tracer *tracer, const uint32_t *places,
								xhprof_run_file *file);

#endif
