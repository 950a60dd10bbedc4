/* The samples of a profile: the call path that was running when an interval ended. Consecutive samples of the same path
 * are one entry. */
#ifndef XHPROF_TRACE_SAMPLE_LOG_H
#define XHPROF_TRACE_SAMPLE_LOG_H

#include "calltree.h"

#define XHPROF_SAMPLE_MAX UINT64_C(1000000) /* samples kept; further ones are only counted */

typedef enum xhprof_sample_clock { XHPROF_SAMPLE_WALL, XHPROF_SAMPLE_CPU } xhprof_sample_clock;

typedef struct xhprof_sample_run {
	uint64_t first; /* number of the interval of wall time since the start, whichever clock is sampled */
	uint32_t count; /* intervals in a row with this path and line */
	uint32_t line;  /* 0: unknown, or not requested */
	const xhprof_node *node;
	uint32_t context; /* number of its trace context in the profile's table; 0: none */
} xhprof_sample_run;

typedef struct xhprof_sample_log {
	xhprof_sample_run *runs; /* in order; the nodes' calls count these samples, too */
	size_t used, capacity;
	bool only_counts; /* no runs are kept, so there is no limit */
	bool lines;
	xhprof_sample_clock clock;
	uint64_t samples; /* intervals: sum of all counts */
	uint64_t taken;   /* stacks read; the remaining `samples` ended before one could be read */
	uint64_t delayed; /* stacks of these that were read after the internal function that ran at the tick had returned */
	uint64_t dropped; /* intervals without room or memory */
	uint64_t blocks_dropped;           /* sampled blocks without room or memory */
	struct xhprof_sample_tally *tally; /* takes what comes instead, as sample_tally.h says; or NULL */
	xhprof_node *last;                 /* node of the last stack that was read, and its line; or NULL */
	uint32_t last_line;
	uint32_t context; /* of the next stack that is added, see xhprof_sample_run */
} xhprof_sample_log;

static inline const char *xhprof_sample_clock_name(xhprof_sample_clock clock)
{
	return clock == XHPROF_SAMPLE_CPU ? "cpu" : "wall";
}

static inline uint64_t xhprof_sample_overruns(const xhprof_sample_log *log)
{
	return log->samples > log->taken ? log->samples - log->taken : 0;
}

/* Adds the samples of a stack that was read: `count` intervals from number `first` on were spent at `node`. False if
 * not all were kept. */
bool xhprof_sample_log_add(xhprof_sample_log *log, uint64_t first, uint64_t count, xhprof_node *node, uint32_t line);

/* Adds intervals for which no stack was read to the last stack that was read. False if not all were kept. */
bool xhprof_sample_log_add_unread(xhprof_sample_log *log, uint64_t first, uint64_t count);

/* Counts `count` intervals as dropped: their path is not known. */
void xhprof_sample_log_drop(xhprof_sample_log *log, uint64_t count);

/* Counts the next stack as read late. */
void xhprof_sample_log_delay(xhprof_sample_log *log);

/* Sends what comes from here on to a tally, or to the log itself again: NULL. */
void xhprof_sample_log_to(xhprof_sample_log *log, struct xhprof_sample_tally *tally);

void xhprof_sample_log_release(xhprof_sample_log *log);

#endif
