/* The folder of the runs. */
#ifndef XHPROF_EXPORT_RUN_DIRECTORY_H
#define XHPROF_EXPORT_RUN_DIRECTORY_H

#include "php_xhprof.h"

#include <sys/param.h>

/* Returns the name of the folder: xhprof.output_dir, or the environment variable XHPROF_OUTPUT_DIR, or else this user's
 * own folder below the one for temporary files, xhprof-UID, which is put at `own`. XHProf\Store\DefaultFolder does the
 * same in PHP. */
const char *xhprof_run_directory(char own[MAXPATHLEN]);

/* Puts the folder's absolute path at `absolute`, which has MAXPATHLEN bytes. A relative one begins at the program's
 * current folder, which in ZTS is not the process's. Returns NULL, or the reason why no run may be written there;
 * *error is then an errno or 0. */
const char *xhprof_run_directory_expand(const char *named, char *absolute, int *error);

/* Makes the user's own folder if it is missing, before something is written there. Returns NULL, or the reason and
 * *error as above. Safe in a signal's handler. */
const char *xhprof_run_directory_make(const char *absolute, int *error);

/* Calls expand and, if the folder is the user's own, make. Returns what they return. */
const char *xhprof_run_directory_open(const char *named, bool is_own, char *absolute, int *error);

/* Replaces the user's own folder by that of the present user, as a daemon may have become another one since, and makes
 * it. Called before something is written there, which then reports a failure. Safe in a signal's handler. */
void xhprof_run_directory_now(char directory[MAXPATHLEN], bool is_own);

#endif
