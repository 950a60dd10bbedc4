/* Samples of a profile: which call path was running when an interval ended. Runs of the same path are one entry. */
#ifndef XHPROF_TRACE_SAMPLE_LOG_H
#define XHPROF_TRACE_SAMPLE_LOG_H

#include "calltree.h"

#define XHPROF_SAMPLE_MAX UINT64_C(1000000) /* samples kept; the others are counted */

typedef struct xhprof_sample_run {
	uint64_t first; /* number of the interval since the start */
	uint64_t count; /* intervals in a row with this path */
	const xhprof_node *node;
} xhprof_sample_run;

typedef struct xhprof_sample_log {
	xhprof_sample_run *runs;
	size_t used, capacity;
	uint64_t samples; /* sum of all counts */
	uint64_t dropped;
} xhprof_sample_log;

/* `count` intervals from number `first` on were spent at `node`. */
void xhprof_sample_log_add(xhprof_sample_log *log, uint64_t first, uint64_t count, const xhprof_node *node);
void xhprof_sample_log_release(xhprof_sample_log *log);

#endif
