/* The spans of a window that are open at once, in different fibers. One of them runs, or none: each has the samples,
 * operations and CPU time of its own turns. What runs while none does is that of XHPROF_MERGED_BETWEEN. */
#ifndef XHPROF_AGGREGATE_JOB_H
#define XHPROF_AGGREGATE_JOB_H

#include "counting.h"

#include "trace/sample_tally.h"

/* An open span; small, as there may be thousands. */
typedef struct xhprof_job {
	struct xhprof_job *next, *before; /* in the list of all */
	xhprof_sample_tally tally;
	const void *owner;    /* its caller's, who names it */
	xhprof_outcome begin; /* what had happened before */
	bool of_parent;       /* it began in the parent */
	bool parted;          /* some of its samples went to the window before its end */
	bool suspended;       /* it was left, and went on */
	bool counts;          /* operations; these were before: */
	uint64_t operations[XHPROF_OPERATION_KINDS];
	uint64_t started_ns, missed_ns; /* as in xhprof_counting */
	uint64_t cpu_before;            /* of the thread's meter at its begin, moved by what others have used since */
	uint64_t left_ns, cpu_left;     /* when it was left last */
	uint64_t suspended_ns;          /* for which it had not run until it went on last */
	xhprof_trace_ids context;       /* its outermost span in a trace, when it was left first; or none */
} xhprof_job;

/* The jobs of a thread. All zero at first. */
typedef struct xhprof_jobs {
	xhprof_pool pool;
	xhprof_job *first, *now; /* now: the one that runs; or NULL */
	uint32_t count;
	bool between;                     /* no job goes on: what runs is between requests; false: it is not counted */
	bool sampling;                    /* the session samples for them */
	uint64_t halted_ns;               /* since when the session does not; or 0 */
	xhprof_sample_tally of_none;      /* between requests */
	xhprof_sample_tally ignored;      /* of what is not counted */
	uint64_t none_cpu_ns, none_since; /* CPU time between requests, and the meter's when that began */
	uint64_t brought_ms;              /* when what is between requests came to a window last, by the windows' clock */
	xhprof_merged *one;               /* the samples of one job, as a profile; or NULL */
} xhprof_jobs;

/* Adds a job that runs from now on, whose begin the caller completes. NULL without memory. */
xhprof_job *xhprof_jobs_add(xhprof_jobs *jobs);

/* Removes a job and frees it. */
void xhprof_jobs_remove(xhprof_jobs *jobs, xhprof_job *job);

/* Lets a job go on: or NULL, with `between` as above. `cpu`: of the thread's meter at `now_ns`, CLOCK_MONOTONIC. The
 * samples until now must have been taken. */
void xhprof_jobs_switch(xhprof_jobs *jobs, xhprof_job *job, bool between, uint64_t now_ns, uint64_t cpu);

/* Ends a job's turn, if it has that, at its end: counting it is work between requests. `cpu`: as above. Completes its
 * operations. */
void xhprof_jobs_end_turn(xhprof_jobs *jobs, xhprof_job *job, uint64_t cpu);

/* Moves what a profile has sampled to the tally of a job. */
void xhprof_jobs_take_samples(xhprof_job *job, xhprof_tracer *profile);

/* Returns a tally's samples as a profile with paths of its own, until the next call. `place`: as of the window. NULL if
 * it has none, unless an empty one is wanted, or without memory. */
const xhprof_tracer *xhprof_jobs_profile(xhprof_jobs *jobs, const xhprof_sample_tally *tally,
										 const xhprof_aggregate_place *place, bool empty);

/* Readies that profile to be written as a run of this job. `elapsed_ns`: with the time in which it was suspended. */
void xhprof_jobs_finish_profile(const xhprof_jobs *jobs, double started, uint64_t duration_ns, uint64_t elapsed_ns);

/* Begins all anew in a forked child. */
void xhprof_jobs_forked(xhprof_jobs *jobs, uint64_t now_ns, uint64_t cpu);

/* Drops all jobs; and frees all memory. */
void xhprof_jobs_forget(xhprof_jobs *jobs);
void xhprof_jobs_release(xhprof_jobs *jobs);

#endif
