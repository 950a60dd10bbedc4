/* What the engine knows of itself and of the request, as a run tells it. */
#ifndef XHPROF_EXPORT_RUN_FACTS_H
#define XHPROF_EXPORT_RUN_FACTS_H

#include "php_xhprof.h"
#include "run_write.h"

/* Of the last stopped profile. Allocates nothing, and may be called in a signal's handler. */
void xhprof_run_engine_now(xhprof_run_engine *engine);

/* The program's command line as it could be typed again: arguments with anything unusual in quotes. Puts at most `size` - 1
 * bytes at `to`, and '\0'; cut off when it is longer. "" where there is none. */
void xhprof_run_command(char *to, size_t size);

#endif
