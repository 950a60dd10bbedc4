/* The outcome of a request or a span: whether it has failed, and whether its client was gone. The engine keeps such
 * state for longer than what is profiled: a status until another status, the type of an error until another error. So
 * the end is compared with the begin; see request/README.md, "What the engine keeps". */
#ifndef XHPROF_HOOK_OUTCOME_H
#define XHPROF_HOOK_OUTCOME_H

#include "php_xhprof.h"

void xhprof_outcome_minit(void);
void xhprof_outcome_mshutdown(void);

/* Returns what has happened until now. `is_span`: the status that is set already belongs to something before. A
 * request's own is the one that the server begins it with, for example for an error page. */
xhprof_outcome xhprof_outcome_at_begin(bool is_span);

/* What had happened when a span was left, as another one's turn came; small, as thousands may be open. */
typedef struct xhprof_outcome_left {
	uint32_t fatal_errors, statuses; /* as in xhprof_outcome, modulo 2^32 */
	int status;
} xhprof_outcome_left;

xhprof_outcome_left xhprof_outcome_leave(void);

/* Moves the begin of a span that goes on by what has happened since it was left until now, which is that of others: all
 * but its client's going. */
void xhprof_outcome_go_on(xhprof_outcome *begin, const xhprof_outcome_left *left, const xhprof_outcome_left *now);

static inline bool xhprof_outcome_same(const xhprof_outcome_left *left, const xhprof_outcome_left *now)
{
	return left->fatal_errors == now->fatal_errors && left->statuses == now->statuses && left->status == now->status;
}

/* Returns whether an error or a signal has ended it since then, or it answered with a status from 500. `ended_by`:
 * as in xhprof_run_info. */
bool xhprof_outcome_failed(const xhprof_outcome *begin, const char *ended_by);

/* Sets what the request that ends now has answered, where that is not the server's answer, and whether it has failed in a way
 * that the engine does not know of; until the next call. XHPROF_STATUS_OF_SERVER and false: it is as the server and the engine know it. */
void xhprof_outcome_own(int status, bool failed);

/* Returns whether its client has gone since then. */
bool xhprof_outcome_aborted(const xhprof_outcome *begin);

#endif
