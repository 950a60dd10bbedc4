/* Spans that are open at once, counted in a window: each has a job (job.h). When a second one opens, or a fiber that is
 * not the span's goes on, the span that xhprof_aggregate_begin() has begun becomes a job; when the last has ended, the
 * next span begins by that function again. */
#ifndef XHPROF_AGGREGATE_AGGREGATE_JOBS_H
#define XHPROF_AGGREGATE_AGGREGATE_JOBS_H

#include "aggregate.h"
#include "job.h"

/* Sets what names a job of this owner, as it is counted, or its samples are brought to a window: puts the route at `to`.
 * At start-up. */
void xhprof_aggregate_name_jobs_by(void (*name)(const void *owner, char to[XHPROF_ROUTE_MAX + 1]));

/* Makes the running span a job. NULL if no span runs, or without memory. */
xhprof_job *xhprof_aggregate_make_job(void);

/* Begins another one, which goes on. Returns NULL, and the reason, if it cannot be counted. */
xhprof_job *xhprof_aggregate_open_job(const char *directory, bool own_folder, uint64_t started_ns,
									  const char **refusal);

/* Lets a job go on; or NULL: what runs belongs to none. `between`: it is shown as between requests; otherwise it is
 * not counted. */
void xhprof_aggregate_switch_job(xhprof_job *job, bool between);

/* Counts a job, which has ended, and frees it. `peak`, `ended` as in xhprof_aggregate_end(). */
void xhprof_aggregate_end_job(xhprof_job *job, const char *ended_by, size_t peak, xhprof_aggregate_ended ended);

/* Frees a job that is not to be counted. */
void xhprof_aggregate_drop_job(xhprof_job *job);

/* Returns for how long a job was suspended until now, in ns. */
uint64_t xhprof_aggregate_job_suspended(const xhprof_job *job);

/* Stop the samples of all jobs, as another profile begins, which are counted all the same; and sample them again, if
 * nothing runs. */
void xhprof_aggregate_halt_jobs(void);
void xhprof_aggregate_resume_jobs(void);

#endif
