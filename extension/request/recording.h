/* What is recorded of a span: a run of its own, or its share of a window. Spans may be open at once, in different
 * fibers; then each has a part of the session (hook/session_part.h) or a job of the window
 * (aggregate/aggregate_jobs.h), which has only what ran in its own turns. A span alone is the automatic profile
 * (auto_profile.h) until another one opens, or a fiber goes on that is not its own. */
#ifndef XHPROF_REQUEST_RECORDING_H
#define XHPROF_REQUEST_RECORDING_H

#include "auto_profile.h"

typedef struct xhprof_recording xhprof_recording;

/* What runs where no recording goes on: code that belongs to no span, which windows show as between requests; or a span
 * that is not recorded. */
typedef enum xhprof_recording_none { XHPROF_RECORDING_BETWEEN, XHPROF_RECORDING_IGNORED } xhprof_recording_none;

void xhprof_recording_minit(void); /* and the automatic profile's */

/* Begins a recording, which goes on. NULL on failure, which the log reports. */
xhprof_recording *xhprof_recording_begin(const xhprof_auto_start *start);

/* Lets a recording go on, or none of them (NULL), as the program goes from one fiber to another, or from one job to
 * another in the same. True if the calls of both fibers were seen to, as another part of the session goes on. */
bool xhprof_recording_switch(xhprof_recording *recording, xhprof_recording_none none, const void *from, const void *to);

/* Ends a recording and frees it; no recording goes on then. Returns the id of its run, until the next call; NULL if none
 * was saved. `ended_by`: as in xhprof_run_info. */
const char *xhprof_recording_end(xhprof_recording *recording, const char *ended_by);

/* Drops the one whose turn it is, if it is one of several: it leaves no run and is not counted. */
bool xhprof_recording_drop(void);

/* Returns the id of the run that is recorded now: of the one whose turn it is, or else of the automatic profile. NULL if
 * there is none, and of a window. */
const char *xhprof_recording_run_id(void);

/* Sets the name under which the one is counted whose turn it is. False if that is the automatic profile's, or
 * no recording goes on. */
bool xhprof_recording_set_route(const char *name, size_t length);

/* Marks the recording that has just begun as that of a worker's request or job, by the number of its span; and return
 * the number of the one whose turn it is, or 0. */
void xhprof_recording_set_worker(uint64_t span);
uint64_t xhprof_recording_worker(void);

/* Returns whether any recording is open. */
static inline bool xhprof_recording_any(void)
{
	return XHPROF_G(recording).count != 0;
}

/* Forgets all recordings, at the request's end; and frees all memory. */
void xhprof_recording_rshutdown(void);
void xhprof_recording_gshutdown(zend_xhprof_globals *globals);

#endif
