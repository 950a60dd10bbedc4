/* Notes when the program finishes an answer. */
#ifndef XHPROF_HOOK_ANSWER_WATCH_H
#define XHPROF_HOOK_ANSWER_WATCH_H

#include "answer.h"
#include "php_xhprof.h"

/* The functions that finish an answer are a server's, which has them when its first request begins. */
void xhprof_answer_watch_rinit(void);
void xhprof_answer_watch_mshutdown(void);

/* Of what began then, and ends now. */
xhprof_answer_time xhprof_answer_watch_time(uint64_t started_ns);

#endif
