/* What a thread has of windows, for the modules that count into them. */
#ifndef XHPROF_AGGREGATE_AGGREGATE_STATE_H
#define XHPROF_AGGREGATE_AGGREGATE_STATE_H

#include "aggregate_slot.h"
#include "job.h"
#include "kept_blocks.h"
#include "window_thread.h"

/* The most slots of a process: its requests may differ in their settings, as hosts of one server do. */
#define XHPROF_AGGREGATE_SLOTS 4

typedef struct xhprof_aggregate {
	xhprof_aggregate_slot *slots[XHPROF_AGGREGATE_SLOTS]; /* or NULL */
	uint64_t requests;
	uint64_t made_ms;            /* when the first of the requests began */
	bool forking;                /* the lock is held for a fork */
	bool forked;                 /* the slots' data are the parent's */
	bool reported;               /* whether the missing journal was reported */
	xhprof_window_thread thread; /* flushes a window's data if no request comes after it; its lock guards all of this */
	xhprof_run_engine engine;    /* for the runs that the thread saves; so are the bounds of the folder */
	uint64_t max_runs, max_bytes;
	xhprof_kept_memory kept;
	xhprof_kept_blocks kept_blocks;
	xhprof_cpu_meter cpu;     /* counts as long as the process lives */
	uint64_t window_made;     /* the window for which the folder of `now.place` is known to be there; or 0 */
	xhprof_counting now;      /* the counting that runs */
	xhprof_counting *waiting; /* a list of countings that have begun and do not run */
	xhprof_jobs jobs;         /* spans that are open at once; `now` does not run then */
} xhprof_aggregate;

/* Returns the state, made at its first use; NULL without memory. */
xhprof_aggregate *xhprof_aggregate_state(void);

/* Sets the place of `now` by the current settings. `own_folder`: the folder is the user's own, which may have to be
 * made. Returns NULL, or why it cannot be used. */
const char *xhprof_aggregate_set_place(xhprof_aggregate *state, const char *directory, bool own_folder);

/* Adds samples of `now` (or NULL), to the window of this moment, while it goes on; and CPU time that is of no request. */
void xhprof_aggregate_add_samples(xhprof_aggregate *state, const xhprof_tracer *profile, uint64_t cpu_us);

/* Counts `now`, which has ended, with its samples (or NULL), or those that are not in a window yet. `peak`: as in
 * xhprof_aggregate_end(). Returns what was counted. */
xhprof_merged_request xhprof_aggregate_count(xhprof_aggregate *state, const xhprof_tracer *samples,
											 const char *ended_by, size_t peak);

#endif
