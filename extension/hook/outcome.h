/* Whether a request or a span has failed, and whether its client was gone. The engine keeps such state for longer than what
 * we profile: a status until another status, the type of an error until another error. So a begin is noted, and the end is
 * compared with it; see request/README.md, "What the engine keeps". */
#ifndef XHPROF_HOOK_OUTCOME_H
#define XHPROF_HOOK_OUTCOME_H

#include "php_xhprof.h"

void xhprof_outcome_minit(void);
void xhprof_outcome_mshutdown(void);

/* What has happened until now. `is_span`: the status that is set already is another one's; that with which a request begins is
 * the server's, as that of a page for errors. */
xhprof_outcome xhprof_outcome_at_begin(bool is_span);

/* Since then an error or a signal has ended it, or it answered with a status from 500. `ended_by`: as in
 * xhprof_run_info. */
bool xhprof_outcome_failed(const xhprof_outcome *begin, const char *ended_by);

/* Its client has gone since then. */
bool xhprof_outcome_aborted(const xhprof_outcome *begin);

#endif
