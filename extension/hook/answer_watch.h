/* Notes when the program finishes an answer. */
#ifndef XHPROF_HOOK_ANSWER_WATCH_H
#define XHPROF_HOOK_ANSWER_WATCH_H

#include "answer.h"
#include "php_xhprof.h"

/* Watches the functions that finish an answer, from the first request on: the server has them only then. */
void xhprof_answer_watch_rinit(void);
void xhprof_answer_watch_mshutdown(void);

/* Returns the time of a request or span that began at `started_ns` and ends now. */
xhprof_answer_time xhprof_answer_watch_time(uint64_t started_ns);

#endif
