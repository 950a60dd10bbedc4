/* The samples of a sampling in the order they were taken, as ID.SOURCE.samples.json:
 * {"v":1,"kind":"samples","interval_us":1000,"clock":"wall","start_us":<us since the epoch of interval 0>,
 *  "t":[number of the first interval],"n":[intervals in a row],"node":[place in the tree's preorder],"line":[]}
 * "line" only if lines were requested; 0: unknown. */
#ifndef XHPROF_EXPORT_SAMPLES_H
#define XHPROF_EXPORT_SAMPLES_H

#include "trace/tracer.h"
#include "writer.h"

/* Whether the profile has any: it is a sampling with a log, not only counts. */
static inline bool xhprof_samples_kept(const xhprof_tracer *tracer)
{
	return tracer->sample_interval_us && !tracer->samples.only_counts;
}

/* Of a stopped profile; `places` by node id, see columns.h. False without memory. */
bool xhprof_samples_json(const xhprof_tracer *tracer, const uint32_t *places, xhprof_writer *writer);

#endif
