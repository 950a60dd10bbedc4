/* xhprof.mode=aggregate: requests and spans are sampled, and their call paths are kept per route in one tree of the
 * process. Once per window of xhprof.flush_seconds the tree goes to the folder's spool, and the data that a host's
 * processes have put there become one run. Nothing here throws, uses the Zend heap, or waits for a lock. */
#ifndef XHPROF_AGGREGATE_H
#define XHPROF_AGGREGATE_H

#include "counting.h"

/* Receives a request that has ended, as it was counted. `profile`: its samples. `operations`: their numbers by kind;
 * NULL: not counted. */
typedef void (*xhprof_aggregate_ended)(const xhprof_tracer *profile, const xhprof_merged_request *request,
									   const uint64_t *operations);

/* Begins to count a request, span or program, and samples it according to the settings. `route`: the name it is
 * counted under (route.h, or the span's name), of which XHPROF_ROUTE_MAX bytes are kept. `directory`: the run folder,
 * absolute; `own_folder`: it is the user's own, which may have to be made. `started_ns`: CLOCK_MONOTONIC, a moment ago.
 * A program's samples go to the windows in which they are taken, and it counts in the last one; a request or span goes
 * with all of its samples to the window in which it ends. Returns NULL, or why it cannot be counted, for example
 * because a profile runs; then nothing has to be ended. */
const char *xhprof_aggregate_begin(const char *route, const char *directory, bool own_folder, uint64_t started_ns,
								   xhprof_counting_kind kind);

/* Notes what the process has kept of the request before, when PHP begins one of whatever kind. */
void xhprof_aggregate_rinit(void);

/* Brings, at the end of PHP's request, what is known of blocks that its spans have kept. */
void xhprof_aggregate_rshutdown(void);

/* Renames the running one, with its samples that are not in a window yet. */
void xhprof_aggregate_rename(const char *route);

/* Stops the samples of the running one, as another profile begins; it is counted at its end all the same. Returns it, to
 * be ended or resumed later: it lives until its end, or that of the process's data. NULL if nothing runs, or without
 * memory. */
xhprof_counting *xhprof_aggregate_wait(void);

/* Samples one again that has waited, while nothing else runs. False if it goes on waiting. */
bool xhprof_aggregate_go_on(xhprof_counting *waiting);

/* Counts the running one, which has ended; in a forked child the child's part of it. `ended_by`: as in
 * xhprof_run_info. `peak`: the most bytes of the heap while it ran. `ended` gets the profile if that has all samples of
 * the request, or those until it began to wait. */
void xhprof_aggregate_end(const char *ended_by, size_t peak, xhprof_aggregate_ended ended);

/* Counts one that waits, whatever runs. `route`: its new name; NULL: as it is. `ended` NULL: it does not count. */
void xhprof_aggregate_end_waiting(xhprof_counting *waiting, const char *route, const char *ended_by,
								  xhprof_aggregate_ended ended);
void xhprof_aggregate_end_all_waiting(const char *ended_by, xhprof_aggregate_ended ended);

/* Drops the running one without counting it: no code of the program ran. */
void xhprof_aggregate_drop(void);

/* Disables logging from here on: in a signal's handler that ends the process. */
void xhprof_aggregate_mute(void);

/* Writes the remaining data to the folder: at the end of the process, and of each of its threads. */
void xhprof_aggregate_mshutdown(void);
void xhprof_aggregate_gshutdown(zend_xhprof_globals *globals);

#endif
