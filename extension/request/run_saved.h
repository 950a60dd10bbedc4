/* What follows a run that settings had written: the folder's bounds, and the log. */
#ifndef XHPROF_REQUEST_RUN_SAVED_H
#define XHPROF_REQUEST_RUN_SAVED_H

#include <stdint.h>

/* Removes the oldest runs of the folder where xhprof.max_runs or xhprof.max_bytes ask for it; `bytes` is the new run's
 * size. Logs a folder that cannot be counted under the name `named`. */
void xhprof_run_saved(const char *directory, const char *named, const char *source, uint64_t bytes);

#endif
