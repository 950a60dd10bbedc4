/* The run folder. */
#ifndef XHPROF_EXPORT_RUN_DIRECTORY_H
#define XHPROF_EXPORT_RUN_DIRECTORY_H

#include "php_xhprof.h"

#include <sys/param.h>

/* The name of the run folder: INI xhprof.output_dir, environment XHPROF_OUTPUT_DIR, else this user's own below the
 * folder for temporary files, xhprof-UID, which is put at `own`. The same in PHP: XHProf\Store\DefaultFolder. */
const char *xhprof_run_directory(char own[MAXPATHLEN]);

/* The folder as an absolute path: relative ones start at the program's current folder, which in ZTS is not the
 * process's. NULL, or why no run may be written there: then *error is an errno, or 0. `absolute` has MAXPATHLEN bytes. */
const char *xhprof_run_directory_expand(const char *named, char *absolute, int *error);

/* Makes the user's own folder if it is missing; before something is written there. NULL, or as above. Safe in a signal's
 * handler. */
const char *xhprof_run_directory_make(const char *absolute, int *error);

/* Both; the second if it is the user's own. */
const char *xhprof_run_directory_open(const char *named, bool is_own, char *absolute, int *error);

/* A daemon may have become another user since it was asked for: turns the user's own folder into that of the user of now, and
 * makes it. Before something is written there, which shows a failure; safe in a signal's handler. */
void xhprof_run_directory_now(char directory[MAXPATHLEN], bool is_own);

#endif
