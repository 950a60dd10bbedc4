/* Facts about the engine and the request, for a run's metadata. */
#ifndef XHPROF_EXPORT_RUN_INFO_H
#define XHPROF_EXPORT_RUN_INFO_H

#include "php_xhprof.h"
#include "run_write.h"

/* Gives the engine's part of the metadata, for the last stopped profile. Allocates nothing, and may be called in a
 * signal's handler. */
void xhprof_run_engine_now(xhprof_run_engine *engine);

/* Put a URL, or the program's command line, at `to`, without the secrets that xhprof.redact and xhprof.trigger_value
 * name; see redact.h. They allocate nothing. The command is "" if the program was not started by one. */
size_t xhprof_run_url(char *to, size_t size, const char *url);
size_t xhprof_run_command(char *to, size_t size);

/* Gives the git revision of the working tree that holds the script, if open_basedir allows reading it; otherwise "" and
 * false. */
bool xhprof_run_git(const char *script, char revision[65]);

#endif
