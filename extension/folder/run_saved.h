/* The steps after a run that settings had written: the folder's bounds, and the log. */
#ifndef XHPROF_FOLDER_RUN_SAVED_H
#define XHPROF_FOLDER_RUN_SAVED_H

#include "export/run_write.h"

/* Removes the oldest runs of the folder where xhprof.max_runs or xhprof.max_bytes ask for it. Logs a folder that
 * cannot be counted under the name `named`. The caller closes the descriptor. */
void xhprof_run_saved(const xhprof_run_written *written, const char *named, const char *source);

#endif
