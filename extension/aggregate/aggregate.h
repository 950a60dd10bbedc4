/* xhprof.mode=aggregate: requests and spans are sampled, and their call paths are kept per route in one tree of the
 * process. Once per window of xhprof.flush_seconds the tree goes to the folder's spool, and the data that a host's
 * processes have put there become one run. Nothing here throws, uses the Zend heap, or waits for a lock. */
#ifndef XHPROF_AGGREGATE_H
#define XHPROF_AGGREGATE_H

#include "counting.h"

/* A request has ended, after this time. `profile`: its samples. `operations`: by kind, of all of it; NULL: not counted. */
typedef void (*xhprof_aggregate_ended)(const xhprof_tracer *profile, uint64_t wall_us, bool failed,
									   const uint64_t *operations);

/* A request or span begins, and is sampled according to the settings. `route`: the name it is counted under (route.h,
 * or the span's name; at most XHPROF_ROUTE_MAX bytes of it are kept). `directory`: the run folder, absolute, or the
 * user's own, which may have to be made. `started_ns`: CLOCK_MONOTONIC, a moment ago. The samples of a program go with
 * the windows in which they are taken, and it counts in the last; otherwise all goes with the window in which it ends.
 * NULL, or why it cannot be counted, as when a profile runs; then there is nothing to end. */
const char *xhprof_aggregate_begin(const char *route, const char *directory, bool own_folder, uint64_t started_ns,
								   xhprof_counting_kind kind);

/* PHP begins a request, of whatever kind: what the process has kept of the one before shows now. */
void xhprof_aggregate_rinit(void);

/* It is counted under another name, with the samples that are still to be brought to a window. */
void xhprof_aggregate_rename(const char *route);

/* It goes on, and is counted at its end, but its samples end here: another profile begins. `cut`: of another fiber's span,
 * so that its CPU time ends too. NULL if nothing runs, or without memory. It lives until its end, or that of the process's
 * data. */
xhprof_counting *xhprof_aggregate_wait(bool cut);
void xhprof_aggregate_cut(xhprof_counting *waiting);

/* It is sampled again, and runs; nothing else does. False if it goes on waiting. */
bool xhprof_aggregate_go_on(xhprof_counting *waiting);

/* Another fiber than those of the span that runs goes on. */
void xhprof_aggregate_mix(void);

/* The one that runs has ended. In a forked child: the child's part of it. `ended_by`: as in xhprof_run_info. `ended` gets
 * the profile, if that has all samples of the request, or those until it began to wait. */
void xhprof_aggregate_end(const char *ended_by, xhprof_aggregate_ended ended);

/* The same of one that waits, whatever runs. `route`: as for xhprof_aggregate_rename(); NULL: as it is. `ended` NULL: it
 * does not count. */
void xhprof_aggregate_end_waiting(xhprof_counting *waiting, const char *route, const char *ended_by,
								  xhprof_aggregate_ended ended);
void xhprof_aggregate_end_all_waiting(const char *ended_by, xhprof_aggregate_ended ended);

/* It has ended, and does not count: no code of the program ran. */
void xhprof_aggregate_drop(void);

/* Disables logging from here on: in a signal's handler that ends the process. */
void xhprof_aggregate_mute(void);

/* Writes the remaining data to the folder: at the end of the process, and of each of its threads. */
void xhprof_aggregate_mshutdown(void);
void xhprof_aggregate_gshutdown(zend_xhprof_globals *globals);

#endif
